internal import Foundation
internal import GRDB
internal import HeliumDatabase

/// The database of one account, in a file or in memory.
struct BeastDatabase: Sendable {
    let access: DatabaseAccess
    /// The id of the user that the database belongs to.
    let account: String

    /// Opens the file of an account. Creates the file if it is missing.
    ///
    /// - Parameters:
    ///   - account: The id of the user; `nil` for the account of the existing file.
    ///   - isReadOnly: Whether the file must exist and is not changed, unless its schema is too old to be read.
    ///   - migrated: Called when the schema was changed, before the transaction ends.
    /// - Throws: ``MessageBeastError`` of the kinds ``MessageBeastError/Kind/superseded``,
    ///   ``MessageBeastError/Kind/otherAccount``, ``MessageBeastError/Kind/damaged`` and
    ///   ``MessageBeastError/Kind/notADatabase`` for a file that cannot be used. The file is unchanged in that case.
    static func open(
        _ path: String,
        account: String?,
        durability: MessageManager.Durability = .process,
        isReadOnly: Bool = false,
        migrated: () -> Void = {}
    ) throws -> Self {
        try MessageBeastError.translating {
            if account == nil || isReadOnly, !FileManager.default.fileExists(atPath: path) { throw Self.missing }
            let migrations = Set(BeastSchema.migrations.map(\.name))
            let file = DatabaseFile(path: path, mark: BeastSchema.mark, migrations: migrations)
            if isReadOnly, let reading = try openReading(file, account: account) { return reading }
            let pool: DatabasePool
            do {
                pool = try file.open(configuration) { try checkAccount(account, in: $0) }
            } catch let error as DatabaseError where file.isProtected(error) {
                // SQLite needs files beside the database and does not report why it cannot create them.
                let reason = "the folder of the database cannot be written"
                throw MessageBeastError(
                    .readOnly,
                    isReadOnly ? "\(reason), and a database of version 1 is upgraded before it can be read" : reason
                )
            }
            // GRDB sets NORMAL together with the journal mode. Only the single writer uses the setting.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(durability.synchronous)") }
            return try Self(DatabaseAccess(pool, checking: BeastSchema.check), account: account, migrated: migrated)
        }
    }

    /// Opens a file for reading; returns `nil` if its schema is too old. In a folder that cannot be written, it is read
    /// without locks.
    private static func openReading(_ file: DatabaseFile, account: String?) throws -> Self? {
        let reading = try file.openForReading(configuration) { try checkAccount(account, in: $0) }
        let pool = reading.pool
        guard try pool.read(BeastSchema.isReadable) else {
            try pool.close()
            return nil
        }
        guard let owner = try pool.read({ try MetaTable(database: $0).value(.account) }) else { throw Self.missing }
        let access = DatabaseAccess(
            pool,
            checking: { database in
                try reading.check()
                try BeastSchema.check(database)
            }
        )
        return Self(access, owner: owner)
    }

    private init(_ access: DatabaseAccess, owner: String) {
        self.access = access
        account = owner
    }

    /// Creates a database in memory.
    static func memory(account: String?) throws -> Self {
        try MessageBeastError.translating {
            try Self(DatabaseAccess(DatabaseQueue(configuration: configuration)), account: account)
        }
    }

    /// Applies the migrations to an open database and stores the account, in one transaction.
    ///
    /// Another process may do the same at the same time, possibly with another account or version.
    init(_ access: DatabaseAccess, account: String?, migrated: () -> Void = {}) throws {
        self.access = access
        self.account = try access.database.writeWithoutTransaction { database in
            // Nothing is written if nothing is to be done, so opening does not wait for the writes of another process.
            if try !Self.isComplete(database) {
                try database.inTransaction(.immediate) {
                    try Self.checkAccount(account, in: database)
                    try BeastSchema.migrate(database)
                    let meta = MetaTable(database: database)
                    guard let owner = try account ?? meta.value(.account) else { throw Self.missing }
                    try meta.set(.account, owner)
                    migrated()
                    return .commit
                }
            }
            try Self.checkAccount(account, in: database)
            guard let owner = try MetaTable(database: database).value(.account) else { throw Self.missing }
            // After the migrations, which change the tables.
            try DueRows.watch(database)
            return owner
        }
    }

    /// Returns whether the database has the current schema and an account.
    private static func isComplete(_ database: Database) throws -> Bool {
        guard try exists("grdb_migrations", in: database), try exists("meta", in: database) else { return false }
        let applied = try String.fetchSet(database, sql: "SELECT identifier FROM grdb_migrations")
        return try applied == Set(BeastSchema.migrations.map(\.name))
            && MetaTable(database: database).value(.account) != nil
    }

    private static var missing: MessageBeastError {
        MessageBeastError(.notFound, "there is no database yet: name an account to create it")
    }

    private static func checkAccount(_ account: String?, in database: Database) throws {
        guard let account, try exists("meta", in: database),
            let owner = try MetaTable(database: database).value(.account),
            owner != account
        else { return }
        throw MessageBeastError(.otherAccount, "the database belongs to another account")
    }

    /// Returns whether a table exists now. GRDB's own check uses a cache that misses migrations by other processes.
    private static func exists(_ table: String, in database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT 1 FROM sqlite_master WHERE name = ?", arguments: [table]) != nil
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "helium.messagebeast"
        configuration.busyMode = .timeout(5)
        return configuration
    }
}

extension MessageManager.Durability {
    /// The SQLite setting for this durability.
    fileprivate var synchronous: String {
        switch self {
        case .process: "NORMAL"
        case .power: "FULL"
        }
    }
}
