internal import Foundation
internal import GRDB
internal import HeliumDatabase

/// The database of one account: a file, or memory.
struct BeastDatabase: Sendable {
    /// The guarantee that a finished write survives.
    enum Durability: String, Sendable {
        /// The end of the process (`synchronous` NORMAL). A power failure may undo the last writes.
        case process = "NORMAL"
        /// A power failure (`synchronous` FULL).
        case power = "FULL"
    }

    let access: DatabaseAccess

    /// Opens the file of an account. Creates it if it is missing.
    ///
    /// - Throws: ``MessageBeastError`` of the kinds ``MessageBeastError/Kind/superseded``,
    ///   ``MessageBeastError/Kind/otherAccount``, ``MessageBeastError/Kind/damaged`` and
    ///   ``MessageBeastError/Kind/notADatabase`` for a file that cannot be used, which remains unchanged.
    static func open(
        _ path: String,
        account: String,
        durability: Durability = .process,
        execution: DatabaseAccess.Execution = .asynchronous
    ) throws -> Self {
        try MessageBeastError.translating {
            let migrations = Set(BeastSchema.migrator.migrations)
            let file = DatabaseFile(path: path, mark: BeastSchema.mark, migrations: migrations)
            let pool = try file.open(configuration) { try checkAccount(account, in: $0) }
            // GRDB has set it to NORMAL with the mode of the journal. Only the one writer has a use for it.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(durability.rawValue)") }
            return try Self(pool, account: account, execution: execution)
        }
    }

    /// Makes a database in memory.
    static func memory(
        account: String,
        execution: DatabaseAccess.Execution = .asynchronous
    ) throws -> Self {
        try MessageBeastError.translating {
            try Self(DatabaseQueue(configuration: configuration), account: account, execution: execution)
        }
    }

    /// Applies the migrations to an open database.
    init(_ writer: any DatabaseWriter, account: String, execution: DatabaseAccess.Execution) throws {
        try BeastSchema.migrator.migrate(writer)
        try writer.writeWithoutTransaction { database in
            let meta = MetaTable(database: database)
            guard try meta.value(.account) == nil else { return try Self.checkAccount(account, in: database) }
            try meta.set(.account, account)
        }
        access = DatabaseAccess(writer, execution)
    }

    private static func checkAccount(_ account: String, in database: Database) throws {
        guard try database.tableExists("meta"), let owner = try MetaTable(database: database).value(.account),
            owner != account
        else { return }
        throw MessageBeastError(.otherAccount, "the database belongs to another account")
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "helium.messagebeast"
        configuration.busyMode = .timeout(5)
        return configuration
    }
}
