internal import Foundation
package import GRDB
internal import HeliumFiles

/// A SQLite file that belongs to one kind of program and to one user of the system.
///
/// The file is marked with an application id and a version. A file of another program, or of a newer version, is
/// therefore recognized before anything is written.
package struct DatabaseFile: Sendable {
    /// The marks in the header of a file.
    package struct Mark: Hashable, Sendable {
        /// The `application_id`, at byte 68 of the file.
        package let applicationID: Int32
        /// The `user_version`. It is raised when older versions of the program cannot use the file.
        package let version: Int32

        package init(applicationID: Int32, version: Int32) {
            self.applicationID = applicationID
            self.version = version
        }
    }

    /// The absolute path of the file.
    package let path: String
    package let mark: Mark
    /// The names of the migrations that this version of the program knows.
    package let migrations: Set<String>

    package init(path: String, mark: Mark, migrations: Set<String>) {
        self.path = FileFacts.absolutePath(path)
        self.mark = mark
        self.migrations = migrations
    }

    /// Opens the file in WAL mode, and creates it if it is missing. Only its owner may read it.
    ///
    /// - Parameters:
    ///   - configuration: The label, the busy timeout and the number of readers.
    ///   - check: Checks the content of a file that has the marks of this program, before anything is written.
    /// - Throws: ``Fault`` if the file is not one of this program and version; the file remains unchanged. GRDB's
    ///   `DatabaseError` if the file cannot be opened. The error that `check` throws.
    package func open(
        _ configuration: Configuration,
        checking check: (Database) throws -> Void = { _ in }
    ) throws -> DatabasePool {
        try self.check(configuration, check)
        makePrivate()
        let pool = try Self.retryingBusy { try DatabasePool(path: path, configuration: configuration) }
        try pool.writeWithoutTransaction { database in
            // Another process may have opened the file since it was checked.
            guard try Int32.fetchOne(database, sql: "PRAGMA application_id") != mark.applicationID else {
                _ = try hasTables(database)
                return
            }
            try database.inTransaction(.immediate) {
                _ = try hasTables(database)
                try database.execute(
                    sql: "PRAGMA application_id = \(mark.applicationID); PRAGMA user_version = \(mark.version)"
                )
                return .commit
            }
        }
        return pool
    }

    /// Opens a pool, and retries while another process opens the same file. SQLite does not wait for the other process
    /// when it sets the WAL mode.
    ///
    /// - Throws: `SQLITE_BUSY` after five seconds, or when an attempt that began before that time has reached its busy
    ///   timeout.
    static func retryingBusy(_ open: () throws -> DatabasePool) throws -> DatabasePool {
        // The limit is a time, not a number of attempts, because some attempts wait for the busy timeout.
        let end = ContinuousClock.now + .seconds(5)
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                usleep(10_000)
            }
        }
    }

    /// Creates the file with permissions for its owner only, before SQLite creates it. Removes the permissions of other
    /// users from an existing file. SQLite gives the files beside it the same permissions. Errors are ignored; SQLite
    /// reports them when it opens the file.
    private func makePrivate() {
        // An existing file is not opened: closing it would release the locks that this process holds on it.
        var file = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0, errno == EEXIST, (try? FileFacts(atPath: path)) == nil, errno == ENOENT {
            // The path is a symbolic link to a file that does not exist yet.
            file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
        if file >= 0 { close(file) }
        // SQLite creates the other files of the database beside the file that a link leads to.
        guard let real = FileFacts.realPath(path) else { return }
        for path in ["", "-wal", "-shm", "-journal"].map({ real + $0 }) {
            guard let facts = try? FileFacts(atPath: path), facts.kind == .regular, facts.isOwn, facts.isOpenToOthers
            else { continue }
            try? FileFacts.setMode(facts.mode & 0o700, atPath: path)
        }
    }
}
