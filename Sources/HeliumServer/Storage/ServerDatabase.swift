internal import GRDB

/// Opens what the services store their records in.
enum ServerDatabase {
    /// A SQLite file in WAL mode, created where it is missing. One pool serves all services, so that they never wait
    /// for each other's locks.
    ///
    /// - Throws: GRDB's `DatabaseError` where the file cannot be opened or is no database.
    static func file(at path: String) throws -> DatabasePool {
        try DatabasePool(path: path, configuration: configuration)
    }

    /// A database that is gone with the server.
    static func memory() throws -> DatabaseQueue { try DatabaseQueue(configuration: configuration) }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "helium.server"
        // Another process may hold the file for a moment; waiting for ever would hang a request.
        configuration.busyMode = .timeout(5)
        return configuration
    }
}
