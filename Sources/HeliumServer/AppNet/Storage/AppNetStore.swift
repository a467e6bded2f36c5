internal import GRDB
internal import HeliumCrypto

/// Everything that App.net keeps, in SQLite: a file that survives restarts, or memory. Both run the same statements.
final class AppNetStore: Sendable {
    private let database: OrderedDatabase
    /// The credentials of the ready line.
    let credentials: AppNetCredentials

    /// Makes the tables, and the accounts of the configuration where they are missing.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` where no secret can be made.
    init(_ database: any DatabaseWriter, configuration: AppNetServerConfiguration) throws {
        self.database = OrderedDatabase(database)
        try AppNetSchema.migrate(database)
        let now = configuration.clock.milliseconds() / 1000
        credentials = try database.write { database in
            try AppNetCredentials.prepare(configuration.accounts, database: database, now: now)
        }
    }

    /// Runs `body` on a state of the store in which no write is half done.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    /// Runs `body` in a transaction, which is rolled back where it throws, then `publish`, before any other write.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        publish: @escaping @Sendable (Value, Database) -> Void
    ) async throws -> Value {
        try await database.write(body, publish: publish)
    }

    /// A secret that nobody can guess: 48 hexadecimal digits.
    static func newSecret() throws -> String {
        try SecureRandom.bytes(24).withUnsafeBytes { Hex.string($0) }
    }
}
