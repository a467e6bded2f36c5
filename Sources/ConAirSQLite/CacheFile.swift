internal import Foundation
internal import GRDB
internal import HeliumDatabase
internal import HeliumFiles

/// Opens the file of a cache, and moves a damaged one aside.
struct CacheFile {
    let path: String

    /// Opens the file. Creates it if it is missing.
    ///
    /// - Returns: The connections, and the path to which a damaged file was moved.
    func open() throws -> (pool: DatabasePool, movedTo: String?) {
        do {
            return (try openSound(), nil)
        } catch let error where Self.isDamage(error) {
            return try FileLock.hold(path + "-lock") {
                // Another process may have moved it while this one waited.
                do {
                    return (try openSound(), nil)
                } catch let error where Self.isDamage(error) {
                    let aside = try moveAside()
                    return (try openSound(), aside)
                }
            }
        }
    }

    private func openSound() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "helium.conair"
        configuration.busyMode = .timeout(5)
        let file = DatabaseFile(path: path, mark: CacheSchema.mark, migrations: Set(CacheSchema.migrations))
        let pool = try file.open(configuration, checking: CacheSchema.checkPages)
        do {
            try pool.writeWithoutTransaction { try CacheSchema.migrate($0) }
        } catch {
            try? pool.close()
            throw error
        }
        return pool
    }

    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case let error as DatabaseError: [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        case let fault as DatabaseFile.Fault: fault == .notADatabase
        default: false
        }
    }

    /// Gives the file a name that is not taken.
    private func moveAside() throws -> String {
        // The log goes first: beside a new file it would be taken for the log of that.
        for suffix in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        for number in 1...1000 {
            let aside = "\(path).damaged-\(number)"
            guard (try? FileFacts(atPath: aside, followingLinks: false)) == nil else { continue }
            do {
                try FileManager.default.moveItem(atPath: path, toPath: aside)
            } catch {
                throw SeriesCacheError(.cannotOpen, "the damaged file cannot be moved to \(aside)")
            }
            return aside
        }
        throw SeriesCacheError(.cannotOpen, "there are 1,000 damaged files beside \(path): remove them")
    }
}

/// A lock between processes, for as long as a function runs.
private enum FileLock {
    /// Runs `body` while this process holds the lock of the file at `path`, which is created and stays.
    static func hold<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SeriesCacheError(.cannotOpen, "the lock \(path) cannot be created") }
        defer { close(descriptor) }
        guard retryingInterrupted({ flock(descriptor, LOCK_EX) }) == 0 else {
            throw SeriesCacheError(.cannotOpen, "the lock \(path) cannot be taken")
        }
        return try body()
    }
}
