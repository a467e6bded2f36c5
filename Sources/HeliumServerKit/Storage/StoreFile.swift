internal import Foundation
internal import GRDB
internal import HeliumFiles

/// A look at a SQLite file before it is opened for writing: nothing is changed in a file that is not a store of ours.
struct StoreFile {
    /// `Heli` in ASCII: the `application_id` of every store, at byte 68 of the file.
    static let applicationID: Int32 = 0x4865_6C69
    /// The `user_version` of stores. A version that older servers cannot serve gets a higher one.
    static let version: Int32 = 1

    /// The reason why a file cannot be a store.
    enum Fault: Error, Hashable, CustomStringConvertible {
        case notAFile
        case notADatabase
        case foreign
        case newer

        var description: String {
            switch self {
            case .notAFile: "not a regular file"
            case .notADatabase: "not a SQLite database"
            case .foreign: "the database of another program; name a file that does not exist yet"
            case .newer: "the store of a newer version; use that version, or another file"
            }
        }
    }

    let path: String

    /// Checks the file, without changing it.
    ///
    /// - Parameter migrations: the migrations that this version knows
    /// - Throws: ``Fault``, or GRDB's `DatabaseError` where the file cannot be read.
    func check(knowing migrations: Set<String>) throws {
        // What is not there, or empty, becomes a store.
        guard let facts = try? FileFacts(atPath: path) else { return }
        guard facts.kind == .regular else { throw Fault.notAFile }
        guard facts.size > 0 else { return }
        do {
            try reader().read { try Self.check($0, knowing: migrations) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw Fault.notADatabase
        }
    }

    /// A connection that only reads. Without a write-ahead log the file is taken for unchanging, so that SQLite makes no
    /// files beside it.
    private func reader() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "helium.server.check"
        let hasLog = ["-wal", "-journal"].contains { ((try? FileFacts(atPath: path + $0))?.size ?? 0) > 0 }
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        if !hasLog, let escaped, path.hasPrefix("/"),
            let queue = try? DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
        {
            return queue
        }
        // SQLite may be built without URIs.
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    private static func check(_ database: Database, knowing migrations: Set<String>) throws {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard application == 0 || application == applicationID else { throw Fault.foreign }
        guard application == 0 || version <= Self.version else { throw Fault.newer }
        let tables = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master")
        if tables.isEmpty { return }
        let applied =
            tables.contains("grdb_migrations")
            ? try Set(String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations")) : []
        // Stores of versions that did not mark them are known by their migrations.
        guard application == applicationID || !applied.isDisjoint(with: migrations) else { throw Fault.foreign }
        guard applied.isSubset(of: migrations) else { throw Fault.newer }
    }

    /// Marks an open database as a store.
    static func mark(_ database: any DatabaseWriter) throws {
        try database.writeWithoutTransaction { database in
            guard try Int32.fetchOne(database, sql: "PRAGMA application_id") != applicationID else { return }
            try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
    }
}
