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
        RecordColumn("is_spent", \.isSpent),
    ]
}

extension TriggerCondition.Kind: DatabaseValueConvertible {
    /// A kind that this version does not know is ``change``.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        String.fromDatabaseValue(value).map { Self(rawValue: $0) ?? .change }
    }
}

/// The stored triggers.
struct TriggerTable {
    let database: Database

    func trigger(_ id: Int) throws -> TriggerRecord? { try TriggerRecord.fetchOne(database, where: "id = ?", [id]) }

    /// An account's triggers by id, those on one feed only if one is given.
    func triggers(of owner: String, feed: Int?) throws -> [TriggerRecord] {
        try TriggerRecord.fetchAll(
            database,
            where: "owner = :owner AND (:feed IS NULL OR feed = :feed) ORDER BY id",
            ["owner": owner, "feed": feed]
        )
    }

    /// The triggers that watch a datastream.
    func triggers(on datastream: String, of feed: Int) throws -> [TriggerRecord] {
        try TriggerRecord.fetchAll(database, where: "feed = ? AND datastream = ?", [feed, datastream])
    }

    func count() throws -> Int { try TriggerRecord.fetchCount(database) }

    /// Inserts or replaces.
    func save(_ trigger: TriggerRecord) throws { try trigger.insert(database, onConflict: .replace) }

    func delete(_ id: Int) throws { try TriggerRecord.deleteOne(database, key: id) }

    /// Deletes the triggers on a feed, or on one of its datastreams.
    func deleteAll(on feed: Int, datastream: String? = nil) throws {
        try TriggerRecord.delete(
            database,
            where: "feed = :feed AND (:datastream IS NULL OR datastream = :datastream)",
            ["feed": feed, "datastream": datastream]
        )
    }

    func deleteAll(of owner: String) throws { try TriggerRecord.delete(database, where: "owner = ?", [owner]) }

    /// Triggers on frozen that were not told, with the datastreams that they watch.
    private static let silences = """
        FROM cosm_trigger JOIN cosm_datastream
        ON cosm_datastream.feed = cosm_trigger.feed AND cosm_datastream.id = cosm_trigger.datastream
        WHERE type = 'frozen' AND is_spent = 0
        """

    /// The triggers on frozen whose datastream's present silence began at or before `start` and was not told.
    func silent(since start: ServerInstant) throws -> [TriggerRecord] {
        try TriggerRecord.fetchAll(
            database,
            sql: "SELECT cosm_trigger.* \(Self.silences) AND cosm_datastream.updated <= ?",
            arguments: [start]
        )
    }

    /// When the longest of the silences that were not told yet began; nil where no trigger waits for one.
    func earliestSilence() throws -> ServerInstant? {
        try ServerInstant.fetchOne(database, sql: "SELECT MIN(cosm_datastream.updated) \(Self.silences)")
    }
}
