internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// A stored app stream (§3.5).
struct AppStreamRecord: Hashable, Sendable {
    var id: Int64
    /// The row of the app token that made it.
    var token: Int64
    var client: String
    var objectTypes: [String]
    var filter: Int64?
    var key: String?

    /// What stands for the id on pnut: one without a key has a number (§6.2).
    var pnutKey: String { key ?? String(id) }
}

/// The stored app streams.
struct AppStreamTable {
    /// Of one token (§2.13); on pnut of one app.
    static let maximumOfToken = 5
    /// How many of an app's streams pnut lets be read at a time (§6.2).
    static let maximumConnected = 2

    let database: Database

    func stream(_ id: Int64) throws -> AppStreamRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM appnet_stream WHERE id = ?", arguments: [id])
            .map(AppStreamRecord.init(row:))
    }

    func streams(of token: Int64) throws -> [AppStreamRecord] {
        try Row.fetchAll(database, sql: "SELECT * FROM appnet_stream WHERE token = ? ORDER BY id", arguments: [token])
            .map(AppStreamRecord.init(row:))
    }

    func streams(ofClient client: String) throws -> [AppStreamRecord] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM appnet_stream WHERE client = ? ORDER BY id",
            arguments: [client]
        ).map(AppStreamRecord.init(row:))
    }

    func all() throws -> [AppStreamRecord] {
        let statement = try database.cachedStatement(sql: "SELECT * FROM appnet_stream ORDER BY id")
        return try Row.fetchAll(statement).map(AppStreamRecord.init(row:))
    }

    /// Stores a new stream, whatever its id says, and gives it its id.
    func insert(_ stream: AppStreamRecord) throws -> AppStreamRecord {
        try database.execute(
            sql: "INSERT INTO appnet_stream (token, client, object_types, filter, key) VALUES (?, ?, ?, ?, ?)",
            arguments: [stream.token, stream.client, stream.typesText, stream.filter, stream.key]
        )
        var stream = stream
        stream.id = database.lastInsertedRowID
        return stream
    }

    func update(_ stream: AppStreamRecord) throws {
        try database.execute(
            sql: "UPDATE appnet_stream SET object_types = ?, filter = ?, key = ? WHERE id = ?",
            arguments: [stream.typesText, stream.filter, stream.key, stream.id]
        )
    }

    func delete(_ id: Int64) throws {
        try database.execute(sql: "DELETE FROM appnet_stream WHERE id = ?", arguments: [id])
    }
}

extension AppStreamRecord {
    fileprivate var typesText: String { objectTypes.joined(separator: ",") }

    fileprivate init(row: Row) {
        self.init(
            id: row["id"],
            token: row["token"],
            client: row["client"],
            objectTypes: (row["object_types"] as String).split(separator: ",").map(String.init),
            filter: row["filter"],
            key: row["key"]
        )
    }
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
