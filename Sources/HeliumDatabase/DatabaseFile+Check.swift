internal import Foundation
internal import GRDB
internal import HeliumFiles

extension DatabaseFile {
    /// The reason why a file cannot be used.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case notAFile
        case notADatabase
        case foreign
        case newer

        package var description: String {
            switch self {
            case .notAFile: "not a regular file"
            case .notADatabase: "not a SQLite database"
            case .foreign: "the database of another program; name a file that does not exist yet"
            case .newer: "the store of a newer version; use that version, or another file"
            }
        }
    }

    /// Checks the file without changing it. A missing or an empty file passes.
    ///
    /// - Throws: ``Fault``, GRDB's `DatabaseError` if the file cannot be read, or what `body` throws for the content of a
    ///   file that has tables.
    func check(label: String?, _ body: (Database) throws -> Void) throws {
        guard let facts = try? FileFacts(atPath: path) else { return }
        guard facts.kind == .regular else { throw Fault.notAFile }
        guard facts.size > 0 else { return }
        do {
            try reader(label: "\(label ?? "database").check").read { database in
                if try hasTables(database) { try body(database) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw Fault.notADatabase
        }
    }

    /// A read-only connection. A file without a write-ahead log is opened as immutable, so that SQLite creates no files
    /// beside it.
    private func reader(label: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = label
        let absolute = URL(fileURLWithPath: path).path
        let hasLog = ["-wal", "-journal"].contains { ((try? FileFacts(atPath: absolute + $0))?.size ?? 0) > 0 }
        let escaped = absolute.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        if !hasLog, let escaped, absolute.hasPrefix("/") {
            do {
                return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
                // SQLite may have been built without URIs.
            }
        }
        return try DatabaseQueue(path: absolute, configuration: configuration)
    }

    /// Whether the file has tables, which are then of this program and version.
    private func hasTables(_ database: Database) throws -> Bool {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard application == 0 || application == mark.applicationID else { throw Fault.foreign }
        guard application == 0 || version <= mark.version else { throw Fault.newer }
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master")
        if tables.isEmpty { return false }
        let applied =
            tables.contains("grdb_migrations")
            ? try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")) : []
        // Files of versions that did not mark them are recognized by their migrations.
        guard application == mark.applicationID || !applied.isDisjoint(with: migrations) else { throw Fault.foreign }
        guard applied.isSubset(of: migrations) else { throw Fault.newer }
        return true
    }
}
