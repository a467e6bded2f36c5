internal import GRDB
internal import HeliumServerKit

/// Deletes the points of datastreams that were deleted, in portions, because a datastream can have millions.
///
/// Such points cannot be reached any more: the numbers of datastreams are not reused. The table of their numbers is in
/// the store, so that a restart does not leave them.
struct PointRemoval {
    /// The number of points that are deleted in one transaction. It takes a few milliseconds.
    static let portion = 5_000

    let database: Database

    static func createTable(_ database: Database) throws {
        try database.create(table: "cosm_removal", options: .strict) { table in
            table.primaryKey("stream", .integer)
        }
    }

    /// Deletes a datastream and the first of its points.
    ///
    /// - Returns: Whether points remain.
    func remove(stream: Int64) throws -> Bool { try remove("number = ?", [stream]) }

    /// Deletes the datastreams of a feed and the first of their points.
    ///
    /// - Returns: Whether points remain.
    func removeAll(of feed: Int) throws -> Bool { try remove("feed = ?", [feed]) }

    private func remove(_ condition: String, _ arguments: StatementArguments) throws -> Bool {
        try database.cachedStatement(
            sql: "INSERT INTO cosm_removal (stream) SELECT number FROM cosm_datastream WHERE \(condition)"
        ).execute(arguments: arguments)
        try DatastreamRecord.delete(database, where: condition, arguments)
        return try proceed()
    }

    /// Deletes a portion of the points.
    ///
    /// - Returns: Whether more remain.
    func proceed(by portion: Int = Self.portion) throws -> Bool {
        var left = portion
        while left > 0, let stream = try nextStream() {
            let deleted = try DatapointTable(database: database).delete(
                from: .earliest,
                through: .latest,
                of: stream,
                limit: left
            )
            if deleted < left {
                try database.cachedStatement(sql: "DELETE FROM cosm_removal WHERE stream = ?").execute(arguments: [
                    stream
                ])
            }
            // A datastream without points is work too.
            left -= max(1, deleted)
        }
        return try nextStream() != nil
    }

    private func nextStream() throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT stream FROM cosm_removal WHERE typeof(stream) = 'integer' ORDER BY stream LIMIT 1"
            )
        )
    }
}
