internal import GRDB
internal import HeliumDatabase

/// The databases of a server's protocols: one file that they share, or one database in memory for each.
struct ServerStore {
    private let shared: DatabasePool?
    private let unreadable: UnreadableRows?

    /// Opens the file. ``database(_:)`` applies the migrations.
    ///
    /// - Parameters:
    ///   - path: The path of the file; `nil` keeps the records in memory.
    ///   - unreadable: Receives the rows that cannot be decoded.
    /// - Throws: `DatabaseFile.Fault` if the file is not a store of this version; the file is not changed. GRDB's
    ///   `DatabaseError` if the file cannot be opened.
    init(path: String?, protocols: [any ServerProtocol.Type], reporting unreadable: UnreadableRows? = nil) throws {
        self.unreadable = unreadable
        let migrations = Set(protocols.flatMap { $0.migrator.migrations })
        shared = try path.map { path in
            try ServerDatabase.file(
                at: path,
                knowing: migrations,
                protocols: protocols.count,
                reporting: unreadable
            )
        }
    }

    /// Returns the access to the database of a protocol, after applying its migrations.
    func access(_ type: any ServerProtocol.Type, _ configuration: EmbeddedServerConfiguration) throws -> DatabaseAccess
    {
        let database = try self.database(type)
        let execution = configuration.usesInlineStore ? DatabaseAccess.Execution.inline : .asynchronous
        guard let watch = configuration.storeWatch else { return DatabaseAccess(database, execution) }
        return DatabaseAccess(
            database,
            execution,
            checking: { _ in watch.begin() },
            passing: { if $0 == .committed { watch.end() } }
        )
    }

    /// Returns the database of a protocol, after applying its migrations.
    func database(_ type: any ServerProtocol.Type) throws -> any DatabaseWriter {
        // In memory each protocol has its own database. Such a database has one connection, which a slow read of one
        // protocol would block for the others.
        let database: any DatabaseWriter = try shared ?? ServerDatabase.memory(reporting: unreadable)
        try type.migrator.migrate(database)
        return database
    }
}
