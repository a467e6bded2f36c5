internal import GRDB
internal import HeliumCrypto
internal import HeliumJSON

/// Everything that Cosm keeps, in SQLite: a file that survives restarts, or memory. Both run the same statements.
final class CosmStore: Sendable {
    private let database: OrderedDatabase
    /// The key that may do everything to the owner's account.
    let masterKey: String

    /// Makes the tables and the owner's account where they are missing.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` where no key can be made.
    init(_ database: any DatabaseWriter, configuration: CosmConfiguration) throws {
        self.database = OrderedDatabase(database)
        try CosmSchema.migrate(database)
        masterKey = try database.write { try Self.prepareOwner(configuration, in: $0) }
    }

    /// Runs `body` on a state of the store in which no write is half done.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    /// Runs `body` in a transaction, then `publish`, before any other write.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value,
        publish: @escaping @Sendable (Value, Database) -> Void
    ) async throws -> Value {
        try await database.write(body, publish: publish)
    }

    private static func prepareOwner(_ configuration: CosmConfiguration, in database: Database) throws -> String {
        let settings = SettingTable(database: database)
        let users = UserTable(database: database)
        let keys = KeyTable(database: database)
        let stored = try settings.value("master key")
        let secret = try configuration.masterKey ?? stored ?? newSecret()
        if let stored, stored != secret { try keys.delete(stored) }
        let owner = configuration.owner
        if try keys.key(secret)?.owner != owner {
            try keys.delete(secret)
            try keys.insert(.master(secret, owner: owner))
        }
        if var user = try users.user(owner) {
            user.profile["api_key"] = .string(secret)
            try users.update(user)
        } else {
            try users.insert(.new(owner, key: secret))
        }
        try settings.set("master key", secret)
        return secret
    }

    /// A key that nobody can guess: 48 characters.
    static func newSecret() throws -> String {
        try SecureRandom.bytes(24).withUnsafeBytes { Hex.string($0) }
    }
}
