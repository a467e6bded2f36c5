internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A stored app stream (§3.5).
struct AppStreamRecord: Codable, Hashable, Sendable {
    @RowID var id: Int64
    /// The row of the app token that made it.
    var token: Int64
    var client: String
    @CommaList var objectTypes: [String]
    var filter: Int64?
    var key: String?

    enum CodingKeys: String, CodingKey {
        case id, token, client, filter, key
        case objectTypes = "object_types"
    }

    /// The id of the stream on pnut: its key, or a number if it has none (§6.2).
    var pnutKey: String { key ?? String(id) }
}

extension AppStreamRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_stream"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The stored app streams.
struct AppStreamTable {
    /// Of one token (§2.13); on pnut of one app.
    static let maximumOfToken = 5
    /// The number of an app's streams that can be read at the same time on pnut (§6.2).
    static let maximumConnected = 2

    let database: Database

    func stream(_ id: Int64) throws -> AppStreamRecord? {
        try AppStreamRecord.fetchOne(database, where: "id = ?", [id])
    }

    func streams(of token: Int64) throws -> [AppStreamRecord] {
        try AppStreamRecord.fetchAll(database, where: "token = ? ORDER BY id", [token])
    }

    func streams(ofClient client: String) throws -> [AppStreamRecord] {
        try AppStreamRecord.fetchAll(database, where: "client = ? ORDER BY id", [client])
    }

    func all() throws -> [AppStreamRecord] { try AppStreamRecord.fetchAll(database, where: "1 = 1 ORDER BY id") }

    /// Stores a new stream, whose id is 0, and gives it its id.
    func insert(_ stream: AppStreamRecord) throws -> AppStreamRecord { try stream.inserted(database) }

    func update(_ stream: AppStreamRecord) throws { try stream.update(database) }

    /// Takes a filter from the streams that have it.
    func removeFilter(_ filter: Int64) throws {
        try AppStreamRecord.filter(Column("filter") == filter).updateAll(database, Column("filter").set(to: nil))
    }

    func delete(_ id: Int64) throws { try AppStreamRecord.deleteOne(database, key: id) }
}

extension AppNetRenderer {
    /// §3.5
    func appStream(_ stream: AppStreamRecord) throws -> JSONValue {
        var json: JSONValue = [
            "id": .id(stream.id), "endpoint": .string("\(root)/stream/app/\(stream.id)"), "type": "long_poll",
            "object_types": .array(stream.objectTypes.map(JSONValue.string)),
        ]
        json["filter"] = try stream.filter.flatMap(FilterTable(database: database).filter).map(filter)
        json["key"] = stream.key.map(JSONValue.string)
        return json
    }
}
