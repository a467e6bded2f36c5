internal import AppNet
internal import GRDB
internal import HeliumJSON

/// Checks a database and rebuilds its indexes.
struct StoreCheck {
    let database: Database

    /// The condition for sent messages whose document belongs to another message.
    static let hasOtherDocument =
        "kind = 'sent' AND CASE WHEN json_valid(json) THEN json_extract(json, '$.id') END <> id"

    /// Returns the problems of the database, one sentence each. Reads the whole database, and writes nothing.
    func problems() throws -> [String] {
        var problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let violations = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
        problems += violations.map { "a row of \($0[0] as String) refers to a missing row of \($0[2] as String)" }
        for index in WordIndex.all where try database.hasTable(index.name) {
            if let problem = try TextIndexCheck(database: database, index: index).problem() { problems.append(problem) }
        }
        if let problem = try String.fetchOne(database, sql: "SELECT rtreecheck('location_rtree')"), problem != "ok" {
            problems.append("the index of places is damaged")
        } else if try !locationTreeMatches() {
            problems.append("the index of places does not match its table")
        }
        return problems + (try wrongRows()) + (try misplacedMessages()) + (try unreadableMessages())
    }

    /// Returns the derived rows that ``SchemaVersion4`` corrects.
    private func wrongRows() throws -> [String] {
        let actions = try Int64.fetchAll(
            database,
            sql: """
                SELECT spec.action_local_id FROM action_spec AS spec
                CROSS JOIN message AS m ON m.local_id = spec.action_local_id WHERE m.hidden <> 0 ORDER BY 1
                """
        )
        let places = try Int64.fetchAll(
            database,
            sql: "SELECT key FROM place WHERE sort_key >= ? ORDER BY key",
            arguments: [MessageTable.unsentSortKey]
        )
        return actions.map { "the cancelled action with the local id \($0) is on" }
            + places.map { "the place with the key \($0) keeps the name from an unsent message" }
            + (try GeocodeCells(database: database).wrong()).map {
                "the message with the local id \($0.localID) waits for the name of another cell"
            }
    }

    /// Rebuilds the full-text indexes and the index of places from their tables, and corrects the keys of sent messages
    /// and drafts, of places from unsent messages and of coordinates.
    func rebuild() throws {
        try GeocodeCells(database: database).correct()
        try database.execute(
            sql: "UPDATE place SET sort_key = sort_key - ?1 + ?2 WHERE sort_key >= ?1",
            arguments: [MessageTable.unsentSortKey, Int64.min]
        )
        try database.execute(
            sql: """
                UPDATE message SET sort_key = CAST(id AS INTEGER) WHERE kind = 'sent' AND sort_key <> CAST(id AS INTEGER);
                UPDATE message SET sort_key = \(MessageTable.unsentSortKey)
                WHERE kind = 'draft' AND sort_key < \(MessageTable.unsentSortKey);
                """
        )
        try rebuildIndexes()
    }

    /// Rebuilds the full-text indexes and the index of places from their tables.
    func rebuildIndexes() throws {
        for index in WordIndex.all { try index.rebuild(database) }
        try IndexUpgrade(database: database).removeOldIndexes()
        try database.execute(
            sql: """
                DELETE FROM location_rtree;
                INSERT INTO location_rtree SELECT local_id, latitude, latitude, longitude, longitude FROM location_instance;
                """
        )
    }

    /// Removes all words from the full-text indexes of empty tables.
    func clearTextIndexes() throws {
        for index in WordIndex.all { try index.clear(database) }
        try IndexUpgrade(database: database).removeOldIndexes()
    }

    /// Returns whether the R*Tree has exactly one entry around each place.
    private func locationTreeMatches() throws -> Bool {
        let fault = try Int.fetchOne(
            database,
            sql: """
                SELECT 1 FROM location_instance AS place LEFT JOIN location_rtree AS entry ON entry.local_id = place.local_id
                WHERE entry.local_id IS NULL
                    OR place.latitude NOT BETWEEN entry.min_latitude AND entry.max_latitude
                    OR place.longitude NOT BETWEEN entry.min_longitude AND entry.max_longitude
                UNION ALL
                SELECT 1 FROM location_rtree WHERE local_id NOT IN (SELECT local_id FROM location_instance)
                LIMIT 1
                """
        )
        return fault == nil
    }

    /// Returns the sent messages whose sort key does not match their id, or whose document belongs to another message.
    private func misplacedMessages() throws -> [String] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT local_id FROM message
                WHERE (kind = 'sent' AND sort_key <> CAST(id AS INTEGER))
                    OR (kind = 'draft' AND sort_key < \(MessageTable.unsentSortKey)) OR (\(Self.hasOtherDocument))
                ORDER BY local_id
                """
        ).map { "the message with the local id \($0) has the key or the document of another message" }
    }

    /// Returns the messages whose documents cannot be read. They appear in no list.
    private func unreadableMessages() throws -> [String] {
        var problems: [String] = []
        let rows = try Row.fetchCursor(database, sql: "SELECT local_id, json FROM message ORDER BY local_id")
        while let row = try rows.next() {
            let isReadable = try row.withUnsafeData(atIndex: 1) { data in
                data.flatMap { try? HeliumJSONDecoder().decode(Message.self, from: $0) } != nil
            }
            if !isReadable { problems.append("the message with the local id \(row[0] as Int64) cannot be read") }
        }
        return problems
    }
}
