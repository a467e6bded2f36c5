internal import GRDB
internal import HeliumServerKit

extension DatastreamRecord: ColumnMappedRecord, MutablePersistableRecord {
    static let databaseTableName = "cosm_datastream"

    static let blank = Self(number: 0, feed: 0, id: "")

    static let columns: [RecordColumn<Self>] = [
        RecordColumn("number", \.$number), RecordColumn("feed", \.feed), RecordColumn("id", \.id),
        RecordColumn("unit_label", \.unit.label), RecordColumn("unit_symbol", \.unit.symbol),
        RecordColumn("unit_type", \.unit.type), RecordColumn("tags", \.$tags),
        RecordColumn("current_value", \.currentValue), RecordColumn("at", \.at), RecordColumn("minimum", \.minimum),
        RecordColumn("maximum", \.maximum), RecordColumn("updated", \.updated), RecordColumn("points", \.pointCount),
    ]

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
}

/// The table of datastreams.
struct DatastreamTable {
    let database: Database

    func datastream(_ id: String, of feed: Int) throws -> DatastreamRecord? {
        try DatastreamRecord.fetchOne(database, where: "feed = ? AND id = ?", [feed, id])
    }

    /// Returns the datastreams of a feed in the order of their creation.
    func datastreams(of feed: Int) throws -> [DatastreamRecord] {
        try DatastreamRecord.fetchAll(database, where: "feed = ? ORDER BY number", [feed])
    }

    /// Returns the first datastreams of a feed in the order of their creation.
    func datastreams(of feed: Int, limit: Int) throws -> [DatastreamRecord] {
        try DatastreamRecord.fetchAll(database, where: "feed = ? ORDER BY number LIMIT ?", [feed, limit])
    }

    func count(of feed: Int) throws -> Int { try DatastreamRecord.fetchCount(database, where: "feed = ?", [feed]) }

    /// Inserts a datastream and sets its number.
    func insert(_ stream: inout DatastreamRecord) throws { try stream.insert(database) }

    func update(_ stream: DatastreamRecord) throws { try stream.update(database) }

    /// Deletes a datastream. Its points cannot be reached any more, and remain to be deleted (``PointRemoval``).
    func delete(_ stream: DatastreamRecord) throws {
        try PointRemoval(database: database).remove(stream: stream.number)
    }

    /// Deletes the datastreams of a feed that is deleted, as ``delete(_:)`` does.
    func deleteAll(of feed: Int) throws { try PointRemoval(database: database).removeAll(of: feed) }
}
