internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

// How values that are no columns by themselves are stored.

extension AppNetEntities: JSONStorable {
    var stored: JSONValue { json }
}

extension ChannelACL: JSONStorable {}

extension ProcessedText: JSONStorable {
    init?(stored: JSONValue) {
        self.init(
            text: stored["text"]?.stringValue ?? "",
            entities: AppNetEntities(stored: stored["entities"] ?? .null)
        )
    }

    var stored: JSONValue { .object(members(html: false)) }
}

/// A column of scopes, as a list with commas.
struct ScopeList: Codable, Hashable, DatabaseValueConvertible {
    let scopes: Set<AppNetScope>

    init(_ scopes: Set<AppNetScope>) { self.scopes = scopes }

    var databaseValue: DatabaseValue { scopes.list.databaseValue }

    static func fromDatabaseValue(_ value: DatabaseValue) -> ScopeList? {
        String.fromDatabaseValue(value).map { ScopeList(Set(list: $0)) }
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
