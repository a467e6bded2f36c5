package import GRDB
internal import HeliumDatabase

/// A table of a protocol whose rows can be decoded one by one. It must have row ids.
package struct StoredTable: Sendable {
    private let unreadable: @Sendable (Database) throws -> [UnreadableRows.Name]

    /// - Parameters:
    ///   - type: The record of a row.
    ///   - isReadable: Returns whether the documents of a decoded record are valid. Default: all are.
    package init<Record: FetchableRecord & TableRecord & SendableMetatype>(
        _ type: Record.Type,
        where isReadable: @escaping @Sendable (Record) -> Bool = { _ in true }
    ) {
        unreadable = { database in
            let table = Record.databaseTableName
            var names: [UnreadableRows.Name] = []
            let rows = try Row.fetchCursor(database, sql: "SELECT rowid AS helium_row, * FROM \(table)")
            while let row = try rows.next() {
                if let record = try? Record(row: row), isReadable(record) { continue }
                names.append(UnreadableRows.Name(table: table, id: row["helium_row"]))
                if names.count >= UnreadableRows.maximum { break }
            }
            return names
        }
    }

    func unreadableRows(in database: Database) throws -> [UnreadableRows.Name] { try unreadable(database) }
}

extension EmbeddedServer {
    /// Returns what is wrong with a store, one line for each fault; none if the store is fine. The file is not changed,
    /// and a server may be using it. No line contains a value of the store.
    ///
    /// - Throws: ``EmbeddedServerError`` for a file that cannot be opened or is not a store of this version.
    package static func problems(
        inStore path: String,
        protocols: [any ServerProtocol.Type]
    ) throws(EmbeddedServerError) -> [String] {
        do {
            let migrations = Set(protocols.flatMap { $0.migrator.migrations })
            let reading = try ServerDatabase.readOnlyFile(at: path, knowing: migrations)
            defer { try? reading.pool.close() }
            return try reading.pool.read { database in
                try reading.check()
                var problems = try integrityProblems(in: database)
                for type in protocols { problems += try rowProblems(of: type, in: database) }
                return problems
            }
        } catch {
            throw EmbeddedServerError(.unusableStore, "\(path): \(StoreFault.text(of: error))")
        }
    }

    private static func integrityProblems(in database: Database) throws -> [String] {
        try String.fetchAll(database, sql: "PRAGMA integrity_check(100)").filter { $0 != "ok" }.map {
            "integrity: \($0)"
        }
    }

    private static func rowProblems(of type: any ServerProtocol.Type, in database: Database) throws -> [String] {
        guard try type.migrator.hasCompletedMigrations(database) else {
            return ["\(type.name): the tables are of an older version: start the server once, then check again"]
        }
        return try type.storedTables.flatMap { try $0.unreadableRows(in: database) }.map { "\($0) cannot be read" }
    }
}
