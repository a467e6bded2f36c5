internal import GRDB

/// The databases of a server's protocols: a file that they share, or a database in memory for each.
struct ServerStore {
    private let shared: DatabasePool?

    /// Opens the file and applies the migrations of all protocols.
    ///
    /// - Parameter path: The path of the file; `nil` keeps the records in memory.
    /// - Throws: `DatabaseFile.Fault` for a file that is not a store of this version, which stays as it is; GRDB's
    ///   `DatabaseError` if the file cannot be opened.
    init(path: String?, protocols: [any ServerProtocol.Type]) throws {
        let migrations = Set(protocols.flatMap { $0.migrator.migrations })
        shared = try path.map { try ServerDatabase.file(at: $0, knowing: migrations, protocols: protocols.count) }
    }

    /// The database of a protocol, whose migrations have been applied.
    func database(_ type: any ServerProtocol.Type) throws -> any DatabaseWriter {
        // In memory each has its own: such a database has one connection, which a slow read of one protocol would take from
        // the others.
        let database: any DatabaseWriter = try shared ?? ServerDatabase.memory()
        try type.migrator.migrate(database)
        return database
    }
}
