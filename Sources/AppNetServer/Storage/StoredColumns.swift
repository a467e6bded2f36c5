internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

// How values that are no columns by themselves are stored.

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

/// A column of scopes, as a list with commas.
@propertyWrapper
struct ScopeList: Codable, Hashable, Sendable, DatabaseValueConvertible {
    var wrappedValue: Set<AppNetScope>

    var databaseValue: DatabaseValue { wrappedValue.list.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(wrappedValue: Set(list: $0)) }
    }
}

/// A column of words, as a list with commas.
@propertyWrapper
struct CommaList: Codable, Hashable, Sendable, DatabaseValueConvertible {
    var wrappedValue: [String]

    var databaseValue: DatabaseValue { wrappedValue.joined(separator: ",").databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(wrappedValue: $0.split(separator: ",").map(String.init)) }
    }
}

extension TableRecord where Self: FetchableRecord {
    /// The rows of a condition in a window of a column, which are spelt in the source. The statement is not kept: each window
    /// has its own.
    static func fetchAll(
        _ database: Database,
        where condition: String,
        _ arguments: StatementArguments = [],
        _ window: PageWindow,
        by column: StaticString = "id"
    ) throws -> [Self] {
        let sql = "SELECT * FROM \(databaseTableName) WHERE \(condition)" + window.sql(column)
        return try fetchAll(database, sql: sql, arguments: arguments)
    }
}

extension PersistableRecord {
    /// Inserts a record of a table whose rows have numbers, and deletes the oldest rows beyond a maximum.
    func insert(_ database: Database, keepingLatest maximum: Int) throws {
        try insert(database)
        try Self.delete(database, where: "number <= ?", [database.lastInsertedRowID - Int64(maximum)])
    }
}
