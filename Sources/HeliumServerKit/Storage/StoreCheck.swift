package import GRDB
internal import HeliumDatabase

/// A table of a protocol, and how its rows are decoded.
package struct StoredTable: Sendable {
    package let name: String
    private let columns: String
    private let isReadable: @Sendable (Row) -> Bool

    /// Describes a table with documents, or with other values that not every value of the column's type is.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - columns: The columns that `isReadable` needs, in SQL. Default: all.
    ///   - isReadable: Returns whether a row can be decoded. It is only called for rows with values of the right types.
    package init(
        _ name: String,
        selecting columns: String = "*",
        where isReadable: @escaping @Sendable (Row) -> Bool
    ) {
        self.name = name
        self.columns = columns
        self.isReadable = isReadable
    }

    /// Describes the table of a record.
    ///
    /// - Parameters:
    ///   - type: The record of a row.
    ///   - isReadable: Returns whether the documents of a decoded record are valid. Default: all are.
    package init<Record: FetchableRecord & TableRecord & SendableMetatype>(
        _ type: Record.Type,
        where isReadable: @escaping @Sendable (Record) -> Bool = { _ in true }
    ) {
        self.init(Record.databaseTableName) { row in (try? Record(row: row)).map(isReadable) ?? false }
    }

    /// Describes tables of numbers, texts and bytes, all of which can be decoded.
    package static func plain(_ names: String...) -> [Self] {
        names.map { Self($0, selecting: "NULL") { _ in true } }
    }

    /// Returns the first rows that cannot be decoded, or have a value that is not of its column's type.
    func unreadableRows(in database: Database) throws -> [UnreadableRows.Name] {
        let columns = try Row.fetchAll(database, sql: "SELECT * FROM pragma_table_info(?)", arguments: [name])
            .map(StoredColumn.init)
        let sql = "SELECT \(try idColumn(columns, database)), \(columns.condition), \(self.columns) FROM \(name)"
        var names: [UnreadableRows.Name] = []
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() {
            if row[1] as Bool, isReadable(row) { continue }
            names.append(UnreadableRows.Name(table: name, id: Int64.fromDatabaseValue(row[0])))
            if names.count >= UnreadableRows.maximum { break }
        }
        return names
    }

    /// Returns the expression for the id of a row. Without row ids it is the first number of the key, which names the
    /// object that the row belongs to.
    private func idColumn(_ columns: [StoredColumn], _ database: Database) throws -> String {
        let sql = "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?"
        guard try Bool.fetchOne(database, sql: sql, arguments: [name]) == true else { return "rowid" }
        return columns.first { $0.isInKey && $0.type == "integer" }?.name ?? "NULL"
    }
}

/// A column of a table.
private struct StoredColumn {
    let name: String
    let type: String
    let isInKey: Bool
    private let isRequired: Bool

    /// - Parameter row: A row of `pragma_table_info`.
    init(_ row: Row) {
        let name: String = row["name"]
        self.name = name.quotedDatabaseIdentifier
        type = (row["type"] as String).lowercased()
        isInKey = (row["pk"] as Int) != 0
        isRequired = row["notnull"]
    }

    /// The SQL condition for a value of the column's type.
    var condition: String {
        let isOfType = "typeof(\(name)) = '\(type)'"
        return isRequired ? isOfType : "(\(name) IS NULL OR \(isOfType))"
    }
}

extension [StoredColumn] {
    fileprivate var condition: String { map(\.condition).joined(separator: " AND ") }
}

extension EmbeddedServer {
    /// Returns what is wrong with a store, one line for each fault; none if the store is fine. The file is not changed,
    /// and a server may be using it. No line contains a value of the store.
    ///
    /// - Parameter configuration: The configuration of the server that uses the file.
    /// - Throws: ``EmbeddedServerError`` for a file that cannot be opened or is not a store of this version.
    package static func problems(
        inStore path: String,
        configuration: EmbeddedServerConfiguration,
        protocols: [any ServerProtocol.Type]
    ) throws(EmbeddedServerError) -> [String] {
        do {
            let migrations = Set(protocols.flatMap { $0.migrator.migrations })
            let reading = try ServerDatabase.readOnlyFile(at: path, knowing: migrations)
            defer { try? reading.pool.close() }
            return try reading.pool.read { database in
                try reading.check()
                var problems = try integrityProblems(in: database)
                for type in protocols { problems += try Self.problems(of: type, configuration, in: database) }
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

    private static func problems<Protocol: ServerProtocol>(
        of type: Protocol.Type,
        _ configuration: EmbeddedServerConfiguration,
        in database: Database
    ) throws -> [String] {
        guard try type.migrator.hasCompletedMigrations(database) else {
            return ["\(type.name): the tables are of an older version: start the server once, then check again"]
        }
        let rows = try type.storedTables.flatMap { try $0.unreadableRows(in: database) }
        return try rows.map { "\($0) cannot be read" } + type.problems(of: configuration[type], in: database)
    }
}
