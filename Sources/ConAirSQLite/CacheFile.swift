internal import Foundation
internal import GRDB
internal import HeliumDatabase
internal import HeliumFiles

/// Opens the file of a cache and moves a damaged file aside.
///
/// When the last connection to a database is closed, SQLite removes the log and the index beside it by name. A process
/// that still has the damaged file open would thus remove those of the new file. Each cache therefore holds a
/// ``CacheLock`` while it is open, and only an exclusive holder moves a file.
struct CacheFile {
    /// The absolute path of the file, without symbolic links: processes that open it by different names use one lock, and
    /// a damaged file is moved itself.
    let path: String

    /// The time in seconds to wait for a lock that another connection holds.
    private let busyTimeout: Double

    /// The time in seconds to wait until other processes close a damaged file.
    private let patience: Double

    init(path: String, busyTimeout: Double = 5, patience: Double = 5) {
        self.path = FileFacts.resolvedPath(path)
        self.busyTimeout = busyTimeout
        self.patience = patience
    }

    private var file: DatabaseFile {
        DatabaseFile(path: path, mark: CacheSchema.mark, migrations: Set(CacheSchema.migrations))
    }

    /// An open file.
    struct Opened {
        let pool: DatabasePool
        /// Held while the connections are open.
        let lock: CacheLock
        /// The path to which a damaged file was moved; `nil` if the file was intact.
        let movedTo: String?
    }

    /// The pause between two attempts to move a damaged file, in microseconds.
    private static let pause: UInt32 = 20_000

    /// Opens the file. Creates the file if it is missing.
    ///
    /// - Throws: ``SeriesCacheError`` of kind ``SeriesCacheError/Kind/foreign`` for a file that was never a cache, and
    ///   of kind ``SeriesCacheError/Kind/locked`` for a damaged file that is open in another process.
    func open() throws -> Opened {
        try file.checkFolder()
        let lockPath = path + "-lock"
        guard isOurs(lockPath) else { return try openOther(lockPath) }
        let lock = try CacheLock(lockPath)
        let deadline = ProcessInfo.processInfo.systemUptime + patience
        while true {
            lock.share()
            do {
                return Opened(pool: try openSound(), lock: lock, movedTo: nil)
            } catch let error where Self.isDamage(error) {
                if try lock.takeAlone() { return try replace(lock) }
                guard ProcessInfo.processInfo.systemUptime < deadline else {
                    throw SeriesCacheError(
                        .locked,
                        "the file is damaged and open in another process: end that process first"
                    )
                }
                usleep(Self.pause)
            }
        }
    }

    /// Opens a file without the mark of caches: a database without tables, or of a version that did not set the mark.
    private func openOther(_ lockPath: String) throws -> Opened {
        let pool: DatabasePool
        do {
            pool = try openSound()
        } catch let error where Self.isDamage(error) {
            throw SeriesCacheError(.foreign, "the file is not a cache: choose a file that does not exist yet")
        }
        // This runs after the check, so that nothing is created beside the file of another program.
        let lock = try CacheLock(lockPath)
        lock.share()
        return Opened(pool: pool, lock: lock, movedTo: nil)
    }

    /// Moves the damaged file aside and opens a new one, unless another process has already done so.
    private func replace(_ lock: CacheLock) throws -> Opened {
        var aside: String?
        let pool: DatabasePool
        do {
            pool = try openSound()
        } catch let error where Self.isDamage(error) {
            aside = try moveAside()
            pool = try openSound()
        }
        lock.share()
        return Opened(pool: pool, lock: lock, movedTo: aside)
    }

    private func openSound() throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "helium.conair"
        configuration.busyMode = .timeout(busyTimeout)
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

    /// Returns whether the file is, was or may become a cache: it is missing or empty, has the mark of caches, or has
    /// their lock beside it.
    private func isOurs(_ lockPath: String) -> Bool {
        // The lock is checked first, because closing the file itself would release the locks that SQLite holds on it in
        // this process.
        if CacheLock.isMarked(lockPath) { return true }
        guard let facts = try? FileFacts(atPath: path) else { return true }
        guard facts.kind == .regular else { return false }
        // The application id is at byte 68 of a SQLite file.
        let header = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 72) } ?? Data()
        return header.isEmpty || header.dropFirst(68).elementsEqual(CacheSchema.markBytes)
    }

    /// Renames the file to an unused name.
    private func moveAside() throws -> String {
        // The log is removed first. Beside a new file, it would be treated as the log of that file.
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
        throw SeriesCacheError(.cannotOpen, "there are already 1,000 damaged files beside \(path): remove them")
    }
}
