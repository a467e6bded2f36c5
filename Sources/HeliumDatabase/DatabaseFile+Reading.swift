internal import Foundation
package import GRDB
internal import HeliumFiles

extension DatabaseFile {
    /// The connections of a file that is only read.
    package struct Reading: Sendable {
        /// Connections that cannot write.
        package let pool: DatabasePool
        /// The file that must not change, and whose log must remain empty; `nil` if SQLite's locks protect the reads.
        let unlocked: (file: DatabaseFile, version: FileVersion)?

        /// Checks that no process has written to a file that is read without locks. Call it at the start of each read.
        ///
        /// - Throws: ``ReadingFault/changed``.
        package func check() throws {
            guard let (file, version) = unlocked else { return }
            // A writer that has ended has moved its log to the file.
            if file.hasLog || file.version != version { throw ReadingFault.changed }
        }
    }

    /// The reason why a file in a folder that cannot be written cannot be read.
    package enum ReadingFault: Error, Hashable, CustomStringConvertible {
        /// The newest changes are only in SQLite's log.
        case unreadableLog
        /// Another process wrote to the file, which is read without locks.
        case changed

        package var description: String {
            switch self {
            case .unreadableLog:
                """
                the newest changes are in a -wal or -journal file, which can only be read where files can be created: copy \
                the database and that file to a folder that can be written
                """
            case .changed: "another process has written to the database, which is read without locks: open it again"
            }
        }
    }

    /// Opens the file, which must exist, with connections that cannot write. Opening and reading take no lock that a
    /// writer may hold.
    ///
    /// SQLite creates two files beside a file in WAL mode, also to read it. In a folder that cannot be written, a file
    /// whose log is empty is read without them and without locks.
    ///
    /// - Parameters:
    ///   - configuration: The label, the busy timeout and the number of readers.
    ///   - check: Checks the content of a file that has the marks of this program.
    /// - Throws: ``Fault`` if the file is not one of this program and version. ``ReadingFault/unreadableLog``. GRDB's
    ///   `DatabaseError` if the file cannot be opened. The error that `check` throws.
    package func openForReading(
        _ configuration: Configuration,
        checking check: (Database) throws -> Void = { _ in }
    ) throws -> Reading {
        var configuration = configuration
        configuration.readonly = true
        do {
            try self.check(configuration, check)
            let pool = try Self.retryingBusy { try DatabasePool(path: path, configuration: configuration) }
            return Reading(pool: pool, unlocked: nil)
        } catch let error as DatabaseError where isProtected(error) {
            guard !hasLog else { throw ReadingFault.unreadableLog }
            guard let immutablePath, let version else { throw error }
            let pool = try DatabasePool(path: immutablePath, configuration: configuration)
            try pool.read { if try hasTables($0) { try check($0) } }
            let reading = Reading(pool: pool, unlocked: (self, version))
            try reading.check()
            return reading
        }
    }

    /// Returns whether SQLite failed because it cannot create files in the folder of the file. It reports different
    /// codes for permissions and for file systems that are read-only.
    package func isProtected(_ error: DatabaseError) -> Bool {
        guard [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode) else { return false }
        let folder = URL(fileURLWithPath: FileFacts.realPath(path) ?? path).deletingLastPathComponent().path
        return access(folder, W_OK) != 0 && [EROFS, EACCES, EPERM].contains(errno)
    }

    /// Whether SQLite's log has content that is not in the file.
    private var hasLog: Bool {
        let path = FileFacts.realPath(path) ?? path
        return ["-wal", "-journal"].contains { suffix in
            (try? FileFacts(atPath: path + suffix)).map { $0.size > 0 } ?? false
        }
    }

    /// The content of a file, as far as it can be recognized without reading it.
    struct FileVersion: Hashable, Sendable {
        let identity: FileFacts.Identity
        let size: Int64
        let modified: Duration
    }

    /// The version of the file; `nil` if it cannot be examined.
    private var version: FileVersion? {
        (try? FileFacts(atPath: path)).map {
            FileVersion(identity: $0.identity, size: $0.size, modified: $0.modified)
        }
    }

    /// The URI with which SQLite reads the file without locks and other files; `nil` if the path has no URI.
    var immutablePath: String? {
        guard path.hasPrefix("/"),
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "file://\(escaped)?immutable=1"
    }
}
