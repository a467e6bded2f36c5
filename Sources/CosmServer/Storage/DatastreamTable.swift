internal import GRDB
internal import HeliumServerKit

/// The stored datastreams.
struct DatastreamTable {
    let database: Database

    func datastream(_ id: String, of feed: Int) throws -> DatastreamRecord? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM cosm_datastream WHERE feed = ? AND id = ?")
        return try Row.fetchOne(statement, arguments: [feed, id]).map(DatastreamRecord.init(row:))
    }

    /// A feed's streams in the order of their creation.
    func datastreams(of feed: Int) throws -> [DatastreamRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM cosm_datastream WHERE feed = ? ORDER BY number"
        )
        return try Row.fetchAll(statement, arguments: [feed]).map(DatastreamRecord.init(row:))
    }

    func count(of feed: Int) throws -> Int {
        let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM cosm_datastream WHERE feed = ?")
        return try Int.fetchOne(statement, arguments: [feed]) ?? 0
    }

    /// Inserts a stream, whose number is given by the store.
    func insert(_ stream: inout DatastreamRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO cosm_datastream (feed, id, unit_label, unit_symbol, unit_type, tags, current_value, at,
                minimum, maximum, updated, points) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: StatementArguments([stream.feed, stream.id] + Self.values(of: stream)))
        stream.number = database.lastInsertedRowID
    }

    func update(_ stream: DatastreamRecord) throws {
        try database.cachedStatement(
            sql: """
                UPDATE cosm_datastream SET unit_label = ?, unit_symbol = ?, unit_type = ?, tags = ?, current_value = ?,
                at = ?, minimum = ?, maximum = ?, updated = ?, points = ? WHERE number = ?
                """
        ).execute(arguments: StatementArguments(Self.values(of: stream) + [stream.number]))
    }

    /// Deletes a stream with all its points.
    func delete(_ stream: DatastreamRecord) throws {
        try database.execute(sql: "DELETE FROM cosm_datapoint WHERE stream = ?", arguments: [stream.number])
        try database.execute(sql: "DELETE FROM cosm_datastream WHERE number = ?", arguments: [stream.number])
    }

    private static func values(of stream: DatastreamRecord) -> [(any DatabaseValueConvertible)?] {
        [
            stream.unit.label, stream.unit.symbol, stream.unit.type, TagList.stored(stream.tags), stream.currentValue,
            stream.at?.microseconds, stream.minimum, stream.maximum, stream.updated?.microseconds, stream.pointCount,
        ]
    }
}

extension DatastreamRecord {
    init(row: Row) {
        self.init(
            number: row["number"],
            feed: row["feed"],
            id: row["id"],
            unit: UnitRecord(label: row["unit_label"], symbol: row["unit_symbol"], type: row["unit_type"]),
            tags: TagList.restored(row["tags"]),
            currentValue: row["current_value"],
            at: (row["at"] as Int64?).map(ServerInstant.init(microseconds:)),
            minimum: row["minimum"],
            maximum: row["maximum"],
            updated: (row["updated"] as Int64?).map(ServerInstant.init(microseconds:)),
            pointCount: row["points"]
        )
    }
}
