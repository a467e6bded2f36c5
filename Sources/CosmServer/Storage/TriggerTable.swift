internal import GRDB
internal import HeliumServerKit

extension TriggerRecord: ColumnMappedRecord, PersistableRecord {
    static let databaseTableName = "cosm_trigger"

    static let blank = Self(
        id: 0,
        owner: "",
        feed: 0,
        datastream: "",
        url: "",
        condition: TriggerCondition(kind: .change)
    )

    static let columns: [RecordColumn<Self>] = [
        RecordColumn("id", \.id), RecordColumn("owner", \.owner), RecordColumn("feed", \.feed),
        RecordColumn("datastream", \.datastream), RecordColumn("url", \.url), RecordColumn("type", \.condition.kind),
        RecordColumn("threshold", \.condition.threshold), RecordColumn("notified", \.notified),
        RecordColumn("is_spent", \.isSpent), RecordColumn("key", \.author.key),
        RecordColumn("address", \.author.address), RecordColumn("referer", \.author.referer),
    ]
}

extension TriggerCondition.Kind: DatabaseValueConvertible {
    /// Returns ``change`` for a kind that this version does not know.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(rawValue: $0) ?? .change }
    }
}

/// The table of triggers.
struct TriggerTable {
    let database: Database

    func trigger(_ id: Int) throws -> TriggerRecord? { try TriggerRecord.fetchOne(database, where: "id = ?", [id]) }

    /// Returns the triggers of an account ordered by id. With a feed it returns only those on the feed.
    func triggers(of owner: String, feed: Int?) throws -> [TriggerRecord] {
        try TriggerRecord.fetchAll(
            database,
            where: "owner = :owner AND (:feed IS NULL OR feed = :feed) ORDER BY id",
            ["owner": owner, "feed": feed]
        )
    }

    /// Returns the triggers on a datastream.
    func triggers(on datastream: String, of feed: Int) throws -> [TriggerRecord] {
        try TriggerRecord.fetchAll(database, where: "feed = ? AND datastream = ?", [feed, datastream])
    }

    /// Returns the ids of the triggers without a key on private feeds, which do not fire: the first `limit`.
    func withoutKey(limit: Int) throws -> [Int] {
        let sql = """
            SELECT cosm_trigger.id FROM cosm_trigger JOIN cosm_feed ON cosm_feed.id = cosm_trigger.feed
            WHERE cosm_trigger.key IS NULL AND cosm_feed.private ORDER BY cosm_trigger.id LIMIT ?
            """
        return try Int.fetchAll(database.cachedStatement(sql: sql), arguments: [limit])
    }

    func count() throws -> Int { try TriggerRecord.fetchCount(database) }

    /// Returns the number of those of an account.
    func count(of owner: String) throws -> Int { try TriggerRecord.fetchCount(database, where: "owner = ?", [owner]) }

    /// Inserts a trigger.
    ///
    /// - Throws: GRDB's `DatabaseError` if a trigger has its id.
    func insert(_ trigger: TriggerRecord) throws { try trigger.insert(database) }

    func update(_ trigger: TriggerRecord) throws { try trigger.update(database) }

    /// Returns the greatest id; 0 if there is no trigger.
    func greatestID() throws -> Int64 { try TriggerRecord.greatest("id", database) }

    func delete(_ id: Int) throws { try TriggerRecord.deleteOne(database, key: id) }

    /// Deletes the triggers on a feed, or on one of its datastreams.
    func deleteAll(on feed: Int, datastream: String? = nil) throws {
        try TriggerRecord.delete(
            database,
            where: "feed = :feed AND (:datastream IS NULL OR datastream = :datastream)",
            ["feed": feed, "datastream": datastream]
        )
    }

    /// Gives the triggers of a key to another one.
    func replace(key old: String, by new: String) throws {
        try database.cachedStatement(sql: "UPDATE cosm_trigger SET key = ? WHERE key = ?").execute(arguments: [
            new, old,
        ])
    }

    func deleteAll(of owner: String) throws { try TriggerRecord.delete(database, where: "owner = ?", [owner]) }

    /// The SQL for triggers on frozen that have not been reported, joined with their datastreams.
    private static let silences = """
        FROM cosm_trigger JOIN cosm_datastream
        ON cosm_datastream.feed = cosm_trigger.feed AND cosm_datastream.id = cosm_trigger.datastream
        WHERE type = 'frozen' AND is_spent = 0
        """

    /// Returns the triggers on frozen whose datastream has been silent since `start` or longer, and that have not been
    /// reported.
    func silent(since start: ServerInstant) throws -> [TriggerRecord] {
        try TriggerRecord.fetchAll(
            database,
            sql: "SELECT cosm_trigger.* \(Self.silences) AND cosm_datastream.updated <= ?",
            arguments: [start]
        )
    }

    /// Returns the start of the longest silence that has not been reported; `nil` if no trigger waits for one.
    func earliestSilence() throws -> ServerInstant? {
        try ServerInstant.fetchOne(database, sql: "SELECT MIN(cosm_datastream.updated) \(Self.silences)")
    }
}
