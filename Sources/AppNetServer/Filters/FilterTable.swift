internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The stored filters.
struct FilterTable {
    static let maximumOfOwner = 100

    let database: Database

    func filter(_ id: Int64) throws -> FilterRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_filter WHERE id = ?", arguments: [id])
            .flatMap(Self.filter(row:))
    }

    func filters(of owner: Int64) throws -> [FilterRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM appnet_filter WHERE owner = ? ORDER BY id", arguments: [owner])
            .compactMap(Self.filter(row:))
    }

    /// Stores a new filter, whatever its id says, and gives it its id.
    func insert(_ filter: FilterRecord) throws -> FilterRecord {
        try database.execute(
            sql: "INSERT INTO appnet_filter (owner, document) VALUES (?, ?)",
            arguments: [filter.owner, filter.document.text()]
        )
        var filter = filter
        filter.id = database.lastInsertedRowID
        return filter
    }

    func update(_ filter: FilterRecord) throws {
        try database.execute(
            sql: "UPDATE appnet_filter SET document = ? WHERE id = ?",
            arguments: [filter.document.text(), filter.id]
        )
    }

    /// Deletes a filter; streams that had it go on without.
    func delete(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM appnet_filter WHERE id = ?", arguments: [id])
        try database.execute(sql: "UPDATE appnet_stream SET filter = NULL WHERE filter = ?", arguments: [id])
    }

    private static func filter(row: Row) -> FilterRecord? {
        JSONValue.parse(row["document"]).flatMap { try? FilterRecord(id: row["id"], owner: row["owner"], $0) }
    }
}

extension FilterRecord {
    /// The members that clients write.
    var document: JSONValue {
        var document: JSONValue = [
            "match_policy": .string(policy.rawValue), "clauses": .array(clauses.map(\.document)),
        ]
        document["name"] = name.map(JSONValue.string)
        return document
    }
}

extension AppNetRenderer {
    /// §3.5
    func filter(_ filter: FilterRecord) throws -> JSONValue {
        var json: JSONValue = ["id": .id(filter.id)]
        for member in filter.document.objectValue ?? [:] { json[member.name] = member.value }
        json["owner"] = try user(filter.owner)
        return json
    }
}
