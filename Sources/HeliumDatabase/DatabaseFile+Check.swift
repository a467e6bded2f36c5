internal import Foundation
internal import GRDB
internal import HeliumFiles

extension DatabaseFile {
    /// The reason why a file cannot be used.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case noFolder
        case notAFile
        case notADatabase
        case foreign
        case newer

        package var description: String {
            switch self {
            case .noFolder: "the folder of the file does not exist"
            case .notAFile: "not a regular file"
            case .notADatabase: "not a SQLite database"
            case .foreign: "the database of another program: choose a file that does not exist yet"
            case .newer: "the store of a newer version: use that version, or another file"
            }
        }
    }

    /// Checks the file without changing it. A missing file in an existing folder passes, and so does an empty file.
    ///
    /// - Throws: ``Fault`` if the file is not one of this program and version. GRDB's `DatabaseError` if the file
    ///   cannot be read. The error that `body` throws for the content of a file that has tables.
    func check(_ configuration: Configuration, _ body: (Database) throws -> Void) throws {
        let facts: FileFacts
        do throws(SystemError) {
            facts = try FileFacts(atPath: path)
        } catch {
            // SQLite's error does not have the reason.
            if error.code == ENOENT { try checkFolder() }
            return
        }
        guard facts.kind == .regular else { throw Fault.notAFile }
        guard facts.size > 0 else { return }
        do {
            if try checkAlone(configuration, body) { return }
            try read(reader(configuration), body)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw Fault.notADatabase
        }
    }

    /// Checks that the file's folder exists. One that cannot be examined passes.
    ///
    /// - Throws: ``Fault/noFolder``.
    package func checkFolder() throws(Fault) {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        do throws(SystemError) {
            _ = try FileFacts(atPath: String(path[...end]))
        } catch {
            if error.code == ENOENT { throw Fault.noFolder }
        }
    }

    /// Checks the file without creating other files beside it.
    ///
    /// - Returns: `false` if another process may be writing to the file. The result of the check is then not reliable.
    private func checkAlone(_ configuration: Configuration, _ body: (Database) throws -> Void) throws -> Bool {
        var failure: (any Error)?
        // A process that opened and closed the file during the check may have made one attempt fail.
        for _ in 0..<2 {
            guard !hasSiblings, let reader = try immutableReader(configuration) else { return false }
            do {
                try read(reader, body)
                return true
            } catch {
                failure = error
            }
        }
        if let failure, !hasSiblings { throw failure }
        return false
    }

    private func read(_ reader: DatabaseQueue, _ body: (Database) throws -> Void) throws {
        try reader.read { database in
            if try hasTables(database) { try body(database) }
        }
    }

    /// Whether SQLite's `-wal`, `-shm` or `-journal` file exists beside the file. It does while a process writes to the
    /// file.
    private var hasSiblings: Bool {
        let path = FileFacts.realPath(path) ?? path
        return ["-wal", "-shm", "-journal"].contains { (try? FileFacts(atPath: path + $0)) != nil }
    }

    /// Opens a read-only connection that waits for the locks of other connections.
    private func reader(_ configuration: Configuration) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: Self.readOnly(configuration))
    }

    /// Opens a connection for which SQLite creates no files. It takes no locks: use it only for a file that no process
    /// writes to. Returns `nil` if the path cannot be opened as a URI.
    private func immutableReader(_ configuration: Configuration) throws -> DatabaseQueue? {
        guard let immutablePath else { return nil }
        do {
            return try DatabaseQueue(path: immutablePath, configuration: Self.readOnly(configuration))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            // SQLite may have been built without support for URIs.
            return nil
        }
    }

    private static func readOnly(_ configuration: Configuration) -> Configuration {
        var readOnly = Configuration()
        readOnly.readonly = true
        readOnly.label = "\(configuration.label ?? "database").check"
        readOnly.busyMode = configuration.busyMode
        return readOnly
    }

    /// Returns whether the file has tables. Throws ``Fault`` if they are not of this program and version.
    func hasTables(_ database: Database) throws -> Bool {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard application == 0 || application == mark.applicationID else { throw Fault.foreign }
        guard application == 0 || version <= mark.version else { throw Fault.newer }
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master")
        if tables.isEmpty { return false }
        let applied =
            tables.contains("grdb_migrations")
            ? try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")) : []
        // Files of versions that did not set the marks are recognized by their migrations.
        guard application == mark.applicationID || !applied.isDisjoint(with: migrations) else { throw Fault.foreign }
        guard applied.isSubset(of: migrations) else { throw Fault.newer }
        return true
    }
}
