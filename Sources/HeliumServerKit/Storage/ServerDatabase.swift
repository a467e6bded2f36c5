package import GRDB
package import HeliumDatabase

/// Opens what the services store their records in.
package enum ServerDatabase {
    /// The marks of every store: `Heli` in ASCII, and the version.
    package static let mark = DatabaseFile.Mark(applicationID: 0x4865_6C69, version: 1)

    /// A SQLite file in WAL mode, created where it is missing. One pool serves all services, so that they never wait
    /// for each other's locks. It holds keys and tokens in clear, so that only its owner may read it.
    ///
    /// - Parameters:
    ///   - migrations: The names of the migrations that this version knows.
    ///   - protocols: The number of protocols that share the file.
    /// - Throws: `DatabaseFile.Fault` for a file that is not a store of this version, which stays as it is; GRDB's
    ///   `DatabaseError` where the file cannot be opened.
    package static func file(at path: String, knowing migrations: Set<String>, protocols: Int) throws -> DatabasePool {
        try DatabaseFile(path: path, mark: mark, migrations: migrations).open(configuration(protocols: protocols))
    }

    /// The reads that each protocol has under way at most.
    package static let readsPerProtocol = 4

    /// A database that is gone with the server. Each protocol has its own: it has one connection, which a slow read of
    /// one protocol would take from the others.
    package static func memory() throws -> DatabaseQueue {
        try DatabaseQueue(configuration: configuration(protocols: 1))
    }

    private static func configuration(protocols: Int) -> Configuration {
        var configuration = Configuration()
        configuration.label = "helium.server"
        // Another process may hold the file for a moment; waiting for ever would hang a request.
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = protocols * readsPerProtocol
        return configuration
    }
}
