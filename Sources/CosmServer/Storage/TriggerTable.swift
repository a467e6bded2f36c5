internal import GRDB
internal import HeliumServerKit

/// The stored triggers.
struct TriggerTable {
    let database: Database

    func trigger(_ id: Int) throws -> TriggerRecord? {
        try Row.fetchOne(database, sql: "SELECT * FROM cosm_trigger WHERE id = ?", arguments: [id])
            .map(TriggerRecord.init(row:))
    }

    /// An account's triggers by id, those on one feed only if one is given.
    func triggers(of owner: String, feed: Int?) throws -> [TriggerRecord] {
        try Row.fetchAll(
            database,
            sql: "SELECT * FROM cosm_trigger WHERE owner = ? AND (? IS NULL OR feed = ?) ORDER BY id",
            arguments: [owner, feed, feed]
        ).map(TriggerRecord.init(row:))
    }

    /// The triggers that watch a datastream.
    func triggers(on datastream: String, of feed: Int) throws -> [TriggerRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM cosm_trigger WHERE feed = ? AND datastream = ?"
        )
        return try Row.fetchAll(statement, arguments: [feed, datastream]).map(TriggerRecord.init(row:))
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM cosm_trigger") ?? 0 }

    /// Inserts or replaces.
    func save(_ trigger: TriggerRecord) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO cosm_trigger (id, owner, feed, datastream, url, type, threshold, notified,
                is_spent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                trigger.id, trigger.owner, trigger.feed, trigger.datastream, trigger.url,
                trigger.condition.kind.rawValue, trigger.condition.threshold, trigger.notified?.microseconds,
                trigger.isSpent,
            ]
        )
    }

    func delete(_ id: Int) throws {
        try database.execute(sql: "DELETE FROM cosm_trigger WHERE id = ?", arguments: [id])
    }

    /// Deletes the triggers on a feed, or on one of its datastreams.
    func deleteAll(on feed: Int, datastream: String? = nil) throws {
        try database.execute(
            sql: "DELETE FROM cosm_trigger WHERE feed = ? AND (? IS NULL OR datastream = ?)",
            arguments: [feed, datastream, datastream]
        )
    }

    func deleteAll(of owner: String) throws {
        try database.execute(sql: "DELETE FROM cosm_trigger WHERE owner = ?", arguments: [owner])
    }

    /// The triggers on frozen whose datastream's present silence began at or before `start` and was not told.
    func silent(since start: ServerInstant) throws -> [TriggerRecord] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT cosm_trigger.* FROM cosm_trigger JOIN cosm_datastream
                ON cosm_datastream.feed = cosm_trigger.feed AND cosm_datastream.id = cosm_trigger.datastream
                WHERE type = 'frozen' AND is_spent = 0 AND cosm_datastream.updated <= ?
                """,
            arguments: [start.microseconds]
        ).map(TriggerRecord.init(row:))
    }

    /// When the longest of the silences that were not told yet began; nil where no trigger waits for one.
    func earliestSilence() throws -> ServerInstant? {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT MIN(cosm_datastream.updated) FROM cosm_trigger JOIN cosm_datastream
                ON cosm_datastream.feed = cosm_trigger.feed AND cosm_datastream.id = cosm_trigger.datastream
                WHERE type = 'frozen' AND is_spent = 0
                """
        ).map(ServerInstant.init(microseconds:))
    }
}

extension TriggerRecord {
    init(row: Row) {
        self.init(
            id: row["id"],
            owner: row["owner"],
            feed: row["feed"],
            datastream: row["datastream"],
            url: row["url"],
            condition: TriggerCondition(
                // The column is written from the same cases only.
                kind: TriggerCondition.Kind(rawValue: row["type"]) ?? .change,
                threshold: row["threshold"]
            ),
            notified: (row["notified"] as Int64?).map(ServerInstant.init(microseconds:)),
            isSpent: row["is_spent"]
        )
    }
}
