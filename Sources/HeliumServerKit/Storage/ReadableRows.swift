package import GRDB

// Decoding of stored rows. One row that cannot be decoded must not fail a list, a request about another row, or a start,
// so it is reported and counts as missing.

extension FetchableRecord where Self: TableRecord {
    /// Returns the record of a row; `nil` for a row that cannot be decoded, which is reported.
    package static func readable(_ row: Row, in database: Database) -> Self? {
        do {
            return try Self(row: row)
        } catch {
            database.reportUnreadable(UnreadableRows.Name(row, of: databaseTableName))
            return nil
        }
    }

    /// Returns the rows of a statement that can be decoded.
    package static func fetchReadable(
        _ database: Database,
        _ statement: Statement,
        _ arguments: StatementArguments = []
    ) throws -> [Self] {
        try readable(Row.fetchCursor(statement, arguments: arguments), in: database)
    }

    /// Returns the rows of a query that can be decoded. The statement is not cached.
    package static func fetchReadable(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = []
    ) throws -> [Self] {
        try readable(Row.fetchCursor(database, sql: sql, arguments: arguments), in: database)
    }

    /// Returns the rows of a request that can be decoded.
    package static func fetchReadable(_ database: Database, _ request: QueryInterfaceRequest<Self>) throws -> [Self] {
        try readable(Row.fetchCursor(database, request), in: database)
    }

    /// Returns the first row of a request; `nil` if there is none, or if it cannot be decoded.
    package static func fetchReadableOne(
        _ database: Database,
        _ request: QueryInterfaceRequest<Self>
    ) throws -> Self? {
        try Row.fetchOne(database, request).flatMap { readable($0, in: database) }
    }

    private static func readable(_ rows: RowCursor, in database: Database) throws -> [Self] {
        var records: [Self] = []
        while let row = try rows.next() {
            if let record = readable(row, in: database) { records.append(record) }
        }
        return records
    }
}
