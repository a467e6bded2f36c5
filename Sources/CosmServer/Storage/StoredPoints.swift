internal import GRDB
internal import HeliumServerKit

/// The points of one stored datastream.
struct StoredPoints: PointSource {
    let database: Database
    let stream: Int64
    let work: HistoryWork

    static let newest = """
        SELECT at, value FROM cosm_datapoint WHERE stream = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT 1
        """
    static let oldest = """
        SELECT at, value FROM cosm_datapoint WHERE stream = ? AND at BETWEEN ? AND ? ORDER BY at LIMIT 1
        """
    static let ascending = """
        SELECT at, value FROM cosm_datapoint WHERE stream = ? AND at BETWEEN ? AND ? ORDER BY at
        """
    static let descending = """
        SELECT at, value FROM cosm_datapoint WHERE stream = ? AND at BETWEEN ? AND ? ORDER BY at DESC
        """

    func newest(from start: ServerInstant, through end: ServerInstant) throws -> Datapoint? {
        try one(Self.newest, start, end)
    }

    func oldest(from start: ServerInstant, through end: ServerInstant) throws -> Datapoint? {
        try one(Self.oldest, start, end)
    }

    private func one(_ sql: String, _ start: ServerInstant, _ end: ServerInstant) throws -> Datapoint? {
        work.seeks += 1
        let statement = try database.cachedStatement(sql: sql)
        let row = try Row.fetchOne(statement, arguments: [stream, start.microseconds, end.microseconds])
        if row != nil { work.rows += 1 }
        return row.map(Self.point)
    }

    func forEach(
        from start: ServerInstant,
        through end: ServerInstant,
        newestFirst: Bool,
        _ body: (Datapoint) throws -> Bool
    ) throws {
        work.seeks += 1
        let statement = try database.cachedStatement(sql: newestFirst ? Self.descending : Self.ascending)
        let rows = try Row.fetchCursor(statement, arguments: [stream, start.microseconds, end.microseconds])
        while let row = try rows.next() {
            work.rows += 1
            if try !body(Self.point(row)) { return }
        }
    }

    private static func point(_ row: Row) -> Datapoint {
        Datapoint(at: ServerInstant(microseconds: row[0]), value: row[1])
    }
}

/// Counts what answering a query costs, so that a test can see to it.
final class HistoryWork {
    /// Descents of the index.
    var seeks = 0
    /// Rows that were read.
    var rows = 0
}
