internal import Foundation
package import GRDB
internal import HeliumFiles

/// Opens what the services store their records in.
package enum ServerDatabase {
    /// A SQLite file in WAL mode, created where it is missing. One pool serves all services, so that they never wait
    /// for each other's locks. It holds keys and tokens in clear, so that only its owner may read it.
    ///
    /// - Parameters:
    ///   - migrations: The names of the migrations that this version knows.
    ///   - protocols: The number of protocols that share the file.
    /// - Throws: ``StoreFile/Fault`` for a file that is not a store of this version, which stays as it is; GRDB's
    ///   `DatabaseError` where the file cannot be opened.
    package static func file(at path: String, knowing migrations: Set<String>, protocols: Int) throws -> DatabasePool {
        try StoreFile(path: URL(fileURLWithPath: path).path).check(knowing: migrations)
        keepPrivate(path)
        let pool = try DatabasePool(path: path, configuration: configuration(protocols: protocols))
        try StoreFile.mark(pool)
        return pool
    }

    /// Makes the file before SQLite does, with rights for its owner alone, and takes everybody else's from one that is
    /// there; SQLite gives the files beside it the same. What cannot be opened is SQLite's to tell.
    private static func keepPrivate(_ path: String) {
        // One that is there is not opened: closing it again would drop the locks that this process has on it.
        var file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0, errno == EEXIST, (try? FileFacts(atPath: path)) == nil, errno == ENOENT {
            // A link to nothing yet.
            file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
        if file >= 0 { close(file) }
        // The files beside it are beside what a link leads to.
        guard let real = FileFacts.realPath(path) else { return }
        for path in ["", "-wal", "-shm", "-journal"].map({ real + $0 }) {
            guard let facts = try? FileFacts(atPath: path), facts.kind == .regular, facts.isOwn, facts.isOpenToOthers
            else { continue }
            try? FileFacts.setMode(facts.mode & 0o700, atPath: path)
        }
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
