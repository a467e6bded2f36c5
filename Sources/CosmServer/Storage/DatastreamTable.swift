internal import GRDB
internal import HeliumServerKit

extension DatastreamRecord: FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "cosm_datastream"

    enum Columns: String, ColumnExpression {
        case number, feed, id, tags, at, minimum, maximum, updated
        case unitLabel = "unit_label"
        case unitSymbol = "unit_symbol"
        case unitType = "unit_type"
        case currentValue = "current_value"
        case pointCount = "points"
    }

    init(row: Row) {
        self.init(
            number: row[Columns.number],
            feed: row[Columns.feed],
            id: row[Columns.id],
            unit: UnitRecord(
                label: row[Columns.unitLabel],
                symbol: row[Columns.unitSymbol],
                type: row[Columns.unitType]
            ),
            tags: (row[Columns.tags] as TagLines).tags,
            currentValue: row[Columns.currentValue],
            at: row[Columns.at],
            minimum: row[Columns.minimum],
            maximum: row[Columns.maximum],
            updated: row[Columns.updated],
            pointCount: row[Columns.pointCount]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.number] = RowID(wrappedValue: number)
        container[Columns.feed] = feed
        container[Columns.id] = id
        container[Columns.unitLabel] = unit.label
        container[Columns.unitSymbol] = unit.symbol
        container[Columns.unitType] = unit.type
        container[Columns.tags] = TagLines(tags)
        container[Columns.currentValue] = currentValue
        container[Columns.at] = at
        container[Columns.minimum] = minimum
        container[Columns.maximum] = maximum
        container[Columns.updated] = updated
        container[Columns.pointCount] = pointCount
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { number = inserted.rowID }
}

/// The stored datastreams.
struct DatastreamTable {
    let database: Database

    func datastream(_ id: String, of feed: Int) throws -> DatastreamRecord? {
        try DatastreamRecord.fetchOne(database, where: "feed = ? AND id = ?", [feed, id])
    }

    /// A feed's streams in the order of their creation.
    func datastreams(of feed: Int) throws -> [DatastreamRecord] {
        try DatastreamRecord.fetchAll(database, where: "feed = ? ORDER BY number", [feed])
    }

    func count(of feed: Int) throws -> Int { try DatastreamRecord.fetchCount(database, where: "feed = ?", [feed]) }

    /// Inserts a stream, whose number is given by the store.
    func insert(_ stream: inout DatastreamRecord) throws { try stream.insert(database) }

    func update(_ stream: DatastreamRecord) throws { try stream.update(database) }

    /// Deletes a stream with all its points.
    func delete(_ stream: DatastreamRecord) throws {
        try DatapointTable(database: database).deleteAll(of: stream.number)
        try stream.delete(database)
    }
}
