package import GRDB
package import HeliumDatabase

/// Opens the databases of the services.
package enum ServerDatabase {
    /// The marks of every store: `Heli` in ASCII, and the version.
    package static let mark = DatabaseFile.Mark(applicationID: 0x4865_6C69, version: 1)

    /// Opens a SQLite file in WAL mode, and creates it if it is missing. One pool serves all services, so that they do
    /// not wait for each other's locks. The file contains keys and tokens in clear text; only its owner can read it.
    ///
    /// - Parameters:
    ///   - migrations: The names of the migrations that this version knows.
    ///   - protocols: The number of protocols that share the file.
    ///   - unreadable: Receives the rows that cannot be decoded.
    /// - Throws: `DatabaseFile.Fault` if the file is not a store of this version; the file is not changed. GRDB's
    ///   `DatabaseError` if the file cannot be opened.
    package static func file(
        at path: String,
        knowing migrations: Set<String>,
        protocols: Int,
        reporting unreadable: UnreadableRows? = nil
    ) throws -> DatabasePool {
        try DatabaseFile(path: path, mark: mark, migrations: migrations)
            .open(configuration(protocols: protocols, reporting: unreadable))
    }

    /// Opens an existing file to read it. It is not changed, and not created.
    package static func readOnlyFile(at path: String, knowing migrations: Set<String>) throws -> DatabaseFile.Reading {
        try DatabaseFile(path: path, mark: mark, migrations: migrations)
            .openForReading(configuration(protocols: 1, reporting: nil))
    }

    /// The maximum number of simultaneous reads of each protocol.
    package static let readsPerProtocol = 4

    /// Creates a database in memory. Each protocol needs its own, because such a database has one connection, which a
    /// slow read of one protocol would block for the others.
    package static func memory(reporting unreadable: UnreadableRows? = nil) throws -> DatabaseQueue {
        try DatabaseQueue(configuration: configuration(protocols: 1, reporting: unreadable))
    }

    private static func configuration(protocols: Int, reporting unreadable: UnreadableRows?) -> Configuration {
        var configuration = Configuration()
        configuration.label = "helium.server"
        // Another process may lock the file for a moment. Waiting without a limit could hang a request.
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = protocols * readsPerProtocol
        unreadable?.install(in: &configuration)
        return configuration
    }
}
