internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

// The stored forms of types that are not column types.

extension AppNetEntities: JSONStorable {
    var stored: JSONValue { json }
}

extension ChannelACL: JSONStorable {}

extension ProcessedText: DatabaseValueConvertible {
    var databaseValue: DatabaseValue { JSONValue.object(members(html: false)).text().databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        JSONText<JSONValue>.fromDatabaseValue(value).map { column in
            let stored = column.wrappedValue
            let entities = AppNetEntities(stored: stored["entities"] ?? .null)
            return Self(text: stored["text"]?.stringValue ?? "", entities: entities)
        }
    }
}

/// A column of scopes, stored as a comma-separated list.
@propertyWrapper
struct ScopeList: Codable, Hashable, Sendable, DatabaseValueConvertible {
    var wrappedValue: Set<AppNetScope>

    var databaseValue: DatabaseValue { wrappedValue.list.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(wrappedValue: Set(list: $0)) }
    }
}

/// A column of words, stored as a comma-separated list.
@propertyWrapper
struct CommaList: Codable, Hashable, Sendable, DatabaseValueConvertible {
    var wrappedValue: [String]

    var databaseValue: DatabaseValue { wrappedValue.joined(separator: ",").databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(wrappedValue: $0.split(separator: ",").map(String.init)) }
    }
}

extension TableRecord where Self: FetchableRecord {
    /// Returns the rows that meet a condition and can be decoded, in a window of a column. The condition and the column
    /// are literals in the source.
    static func fetchAll(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments = [],
        _ window: PageWindow,
        by column: StaticString = "id"
    ) throws -> [Self] {
        try fetchAll(database, arguments, window) { window in
            "SELECT * FROM \(databaseTableName) WHERE \(condition)" + window.sql(column)
        }
    }

    /// Returns the rows of a window that can be decoded. The window is read on in place of rows that cannot be, because
    /// fewer rows than its limit mean the end of the list. The statement is not cached, because it differs for each
    /// window.
    ///
    /// - Parameter sql: Returns the query for a window, which ends with ``PageWindow/sql(_:)``.
    static func fetchAll(
        _ database: Database,
        _ arguments: StatementArguments,
        _ window: PageWindow,
        sql: (PageWindow) -> String
    ) throws -> [Self] {
        var records: [Self] = []
        var rest = window
        while rest.limit > 0 {
            var count = 0
            let rows = try Row.fetchCursor(database, sql: sql(rest), arguments: arguments)
            while let row = try rows.next() {
                count += 1
                if let record = readable(row, in: database) { records.append(record) }
            }
            guard count == rest.limit else { break }
            rest.offset += count
            rest.limit = window.limit - records.count
        }
        return records
    }
}

extension PersistableRecord {
    /// Inserts a record into a table with numbered rows, and deletes the oldest rows beyond a maximum.
    func insert(_ database: Database, keepingLatest maximum: Int) throws {
        try insert(database)
        try Self.delete(database, where: "number <= ?", [database.lastInsertedRowID - Int64(maximum)])
    }
}
