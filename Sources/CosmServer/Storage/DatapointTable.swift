internal import GRDB
internal import HeliumServerKit

/// The stored points. All access goes by the clustered key (stream, instant).
struct DatapointTable {
    let database: Database

    func value(at instant: ServerInstant, of stream: Int64) throws -> String? {
        let statement = try database.cachedStatement(
            sql: "SELECT value FROM cosm_datapoint WHERE stream = ? AND at = ?"
        )
        return try String.fetchOne(statement, arguments: [stream, instant.microseconds])
    }

    /// Stores points; one at a stored instant replaces its value. Tells how many were new.
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

    /// Deletes the points of a closed range and tells how many those were.
    func delete(from start: ServerInstant, through end: ServerInstant, of stream: Int64) throws -> Int {
        try database.cachedStatement(sql: "DELETE FROM cosm_datapoint WHERE stream = ? AND at BETWEEN ? AND ?")
            .execute(arguments: [stream, start.microseconds, end.microseconds])
        return database.changesCount
    }
}
