internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// An app stream in its stored form (Docs/Protocols/AppNet.md §3.5).
struct AppStreamRecord: Codable, Hashable, Sendable {
    @RowID var id: Int64
    /// The row id of the app token that created it.
    var token: Int64
    var client: String
    @CommaList var objectTypes: [String]
    /// The id of the filter, which may have been deleted; `nil` for a stream without a filter.
    var filter: Int64?
    var key: String?

    enum CodingKeys: String, CodingKey {
        case id, token, client, filter, key
        case objectTypes = "object_types"
    }

    /// The identifier of the stream in pnut: its key, or its id if it has no key (Docs/Protocols/AppNet.md §6.2).
    var pnutKey: String { key ?? String(id) }
}

extension AppStreamRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "appnet_stream"

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The table of app streams.
struct AppStreamTable {
    /// The maximum number of streams of a token (Docs/Protocols/AppNet.md §2.13), or of an app in pnut.
    static let maximumOfToken = 5
    /// The maximum number of streams of all tokens of an app.
    static let maximumOfApp = 50
    /// The maximum size of the filters that an app's streams use, in bytes. Every event is compared with all of them.
    static let filterBytesOfApp = 1024 * 1024
    /// The maximum number of an app's streams that can be read at the same time in pnut (Docs/Protocols/AppNet.md
    /// §6.2).
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

    /// Returns the apps with a stream that uses a filter.
    func clients(ofFilter filter: Int64) throws -> [String] {
        let sql = "SELECT DISTINCT client FROM appnet_stream WHERE filter = ?"
        return try String.fetchAll(database.cachedStatement(sql: sql), arguments: [filter])
    }

    /// Returns the id of the newest stream; 0 if there is none. Later streams have larger ids.
    func newest() throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM appnet_stream")) ?? 0
    }

    /// Returns the client id of the first app after another one that has streams; `nil` if there is none.
    func client(after client: String?) throws -> String? {
        let statement = try database.cachedStatement(
            sql: "SELECT client FROM appnet_stream WHERE client > ? ORDER BY client LIMIT 1"
        )
        return try String.fetchOne(statement, arguments: [client ?? ""])
    }

    /// Creates the index by which the streams of an app are found.
    static func addClientIndex(_ database: Database) throws {
        try database.create(indexOn: "appnet_stream", columns: ["client"])
    }

    /// Stores a new stream, whose id is 0, and sets its id.
    func insert(_ stream: AppStreamRecord) throws -> AppStreamRecord { try stream.inserted(database) }

    func update(_ stream: AppStreamRecord) throws { try stream.update(database) }

    func delete(_ id: Int64) throws { try AppStreamRecord.deleteOne(database, key: id) }

    /// Deletes the streams that a token created.
    func deleteAll(of token: Int64) throws { try AppStreamRecord.delete(database, where: "token = ?", [token]) }
}

extension AppNetReader {
    /// Returns whether the viewer is the stream's app.
    func sees(_ stream: AppStreamRecord) -> Bool { viewer.isApp && viewer.client == stream.client }
}

extension AppNetRenderer {
    /// Returns the JSON object of an app stream (Docs/Protocols/AppNet.md §3.5).
    func appStream(_ stream: AppStreamRecord) throws -> JSONValue? {
        guard reader.sees(stream) else { return nil }
        var json: JSONValue = [
            "id": .id(stream.id), "endpoint": .string("\(root)/stream/app/\(stream.id)"), "type": "long_poll",
            "object_types": .array(stream.objectTypes.map(JSONValue.string)),
        ]
        json["filter"] = try stream.filter.flatMap(FilterTable(database: database).filter).flatMap(filter)
        json["key"] = stream.key.map(JSONValue.string)
        return json
    }
}
