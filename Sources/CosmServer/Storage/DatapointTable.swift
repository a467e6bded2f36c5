internal import GRDB
internal import HeliumServerKit

/// The table of points. All access uses the clustered key (stream, instant).
///
/// It uses prepared statements instead of records, because a request writes or reads hundreds of points.
struct DatapointTable {
    let database: Database

    func value(at instant: ServerInstant, of stream: Int64) throws -> String? {
        let statement = try database.cachedStatement(
            sql: "SELECT value FROM cosm_datapoint WHERE stream = ? AND at = ?"
        )
        return try String.fetchOne(statement, arguments: [stream, instant.microseconds])
    }

    /// Stores points and returns the number of new ones. A point at a stored instant replaces its value.
    func insert(_ points: [Datapoint], into stream: Int64) throws -> Int {
        let insertion = try database.cachedStatement(
            sql: "INSERT INTO cosm_datapoint (stream, at, value) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        )
        var added = 0
        for point in points {
            try insertion.execute(arguments: [stream, point.at.microseconds, point.value])
            if database.changesCount > 0 {
                added += 1
            } else {
                try database.cachedStatement(sql: "UPDATE cosm_datapoint SET value = ? WHERE stream = ? AND at = ?")
                    .execute(arguments: [point.value, stream, point.at.microseconds])
            }
        }
        return added
    }

    /// Deletes the earliest points of a closed range, at most `limit`, and returns their number.
    func delete(from start: ServerInstant, through end: ServerInstant, of stream: Int64, limit: Int) throws -> Int {
        let deletion = try database.cachedStatement(
            sql: """
                DELETE FROM cosm_datapoint WHERE stream = :stream AND at BETWEEN :start AND COALESCE(
                (SELECT at FROM cosm_datapoint WHERE stream = :stream AND at BETWEEN :start AND :end
                ORDER BY at LIMIT 1 OFFSET :skipped), :end)
                """
        )
        try deletion.execute(arguments: [
            "stream": stream, "start": start.microseconds, "end": end.microseconds, "skipped": max(0, limit - 1),
        ])
        return database.changesCount
    }
}

/// The points of a stored datastream.
struct StoredPoints: PointSource {
    let database: Database
    let stream: Int64
    let work: HistoryWork

    static let ascending = "SELECT at, value FROM cosm_datapoint WHERE stream = ? AND at BETWEEN ? AND ? ORDER BY at"
    static let descending = ascending + " DESC"
    static let newest = descending + " LIMIT 1"
    static let oldest = ascending + " LIMIT 1"

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

/// Counts the cost of a history query for tests.
final class HistoryWork {
    /// The number of descents of the index.
    var seeks = 0
    /// The number of rows that were read.
    var rows = 0
}
