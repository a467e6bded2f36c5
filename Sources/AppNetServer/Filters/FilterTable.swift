internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The table of filters.
struct FilterTable {
    static let maximumOfOwner = 100

    /// A row. The members that clients write are one document.
    private struct Record: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "appnet_filter"

        @RowID var id: Int64
        let owner: Int64
        @JSONText var document: JSONValue

        init(_ filter: FilterRecord) {
            id = filter.id
            owner = filter.owner
            document = filter.document
        }

        var filter: FilterRecord? { try? FilterRecord(id: id, owner: owner, document) }
    }

    let database: Database

    static let stored = StoredTable(Record.self) { $0.filter != nil }

    func filter(_ id: Int64) throws -> FilterRecord? {
        try Record.fetchOne(database, where: "id = ?", [id])?.filter
    }

    /// A row as it is stored, which is not decoded.
    struct StoredFilter: Sendable {
        let id: Int64
        let owner: Int64
        let document: String

        func hasSameBytes(as other: Self) -> Bool {
            id == other.id && owner == other.owner && document.hasSameBytes(as: other.document)
        }

        /// Decodes the row; `nil` if it is not a filter.
        var filter: FilterRecord? {
            JSONValue.parse(document).flatMap { try? FilterRecord(id: id, owner: owner, $0) }
        }
    }

    func storedFilter(_ id: Int64) throws -> StoredFilter? {
        let statement = try database.cachedStatement(sql: "SELECT owner, document FROM appnet_filter WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]),
            let owner = Int64.fromDatabaseValue(row[0]), let document = String.fromDatabaseValue(row[1])
        else { return nil }
        return StoredFilter(id: id, owner: owner, document: document)
    }

    /// Returns the size of the filters that the streams of an app use, in bytes. A filter of several streams counts once.
    ///
    /// - Parameters:
    ///   - stream: A stream that does not count.
    ///   - filter: A filter that does not count.
    func bytes(ofClient client: String, without stream: Int64 = 0, filter: Int64) throws -> Int {
        let statement = try database.cachedStatement(
            sql: """
                SELECT SUM(LENGTH(CAST(document AS BLOB))) FROM appnet_filter
                WHERE id IN (SELECT filter FROM appnet_stream WHERE client = ? AND id <> ?) AND id <> ?
                """
        )
        return try Int.fetchOne(statement, arguments: [client, stream, filter]) ?? 0
    }

    /// Returns the size of a filter's stored document in bytes; 0 if it does not exist. The document is not read.
    func size(of id: Int64) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT LENGTH(CAST(document AS BLOB)) FROM appnet_filter WHERE id = ?"
        )
        return try Int.fetchOne(statement, arguments: [id]) ?? 0
    }

    func count(of owner: Int64) throws -> Int { try Record.fetchCount(database, where: "owner = ?", [owner]) }

    /// Returns the ids of a user's filters, newest first.
    func ids(of owner: Int64) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM appnet_filter WHERE owner = ? ORDER BY id DESC"
        )
        return try Int64.fetchAll(statement, arguments: [owner])
    }

    /// Stores a new filter, whose id is 0, and sets its id.
    func insert(_ filter: FilterRecord) throws -> FilterRecord {
        try Record(filter).insert(database)
        var filter = filter
        filter.id = database.lastInsertedRowID
        return filter
    }

    func update(_ filter: FilterRecord) throws { try Record(filter).update(database) }

    /// Deletes a filter. Streams that used it keep its id, which is not used again, and have no events until they get
    /// another filter or none.
    func delete(_ id: Int64) throws { try Record.deleteOne(database, key: id) }

    /// Deletes a user's filters, as ``delete(_:)`` does.
    func deleteAll(of owner: Int64) throws { try Record.delete(database, where: "owner = ?", [owner]) }
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

extension AppNetReader {
    /// Returns whether the viewer can see and use a filter. That is the case for its owner, and for an app to which the
    /// owner gave a token.
    func sees(_ filter: FilterRecord) throws -> Bool {
        if let user = viewer.user { return filter.owner == user }
        return try isEntrusted(by: filter.owner)
    }
}

extension AppNetRenderer {
    /// Returns the JSON object of a filter (Docs/Protocols/AppNet.md §3.5).
    func filter(_ filter: FilterRecord) throws -> JSONValue? {
        guard try reader.sees(filter) else { return nil }
        var json: JSONValue = ["id": .id(filter.id)]
        for member in filter.document.objectValue ?? [:] { json[member.name] = member.value }
        json["owner"] = try user(filter.owner)
        return json
    }
}
