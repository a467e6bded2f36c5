internal import GRDB
internal import HeliumServerKit

/// Deletes the points of datastreams that were deleted, and the waypoints of feeds, in portions, because a datastream can
/// have millions.
///
/// Such points cannot be reached any more: the numbers of datastreams and feeds are not reused. The tables of their
/// numbers are in the store, so that a restart does not leave them.
struct PointRemoval {
    /// The number of points and waypoints that are deleted in one transaction. It takes a few milliseconds.
    static let portion = 5_000

    let database: Database

    static func createTable(_ database: Database) throws {
        try database.create(table: "cosm_removal", options: .strict) { table in
            table.primaryKey("stream", .integer)
        }
    }

    static func createFeedTable(_ database: Database) throws {
        try database.create(table: "cosm_feed_removal", options: .strict) { table in
            table.primaryKey("feed", .integer)
        }
    }

    /// Deletes a datastream without its points.
    func remove(stream: Int64) throws { try remove("number = ?", [stream]) }

    /// Deletes the datastreams of a feed without their points. The feed's waypoints cannot be reached without the feed.
    func removeAll(of feed: Int) throws {
        try remove("feed = ?", [feed])
        try run("INSERT OR IGNORE INTO cosm_feed_removal (feed) VALUES (?)", [feed])
    }

    private func remove(_ condition: String, _ arguments: StatementArguments) throws {
        try run(
            "INSERT INTO cosm_removal (stream) SELECT number FROM cosm_datastream WHERE \(condition)",
            arguments
        )
        try DatastreamRecord.delete(database, where: condition, arguments)
    }

    /// Deletes a portion of the points and waypoints. Call it once in a transaction.
    ///
    /// - Returns: Whether more remain.
    func proceed(by portion: Int = Self.portion) throws -> Bool {
        var left = portion
        while left > 0, let stream = try next("stream", of: "cosm_removal") {
            let deleted = try DatapointTable(database: database).delete(
                from: .earliest,
                through: .latest,
                of: stream,
                limit: left
            )
            if deleted < left { try run("DELETE FROM cosm_removal WHERE stream = ?", [stream]) }
            // A datastream without points is work too.
            left -= max(1, deleted)
        }
        while left > 0, let feed = try next("feed", of: "cosm_feed_removal") {
            try run(
                """
                DELETE FROM cosm_waypoint WHERE feed = :feed AND at <=
                (SELECT MAX(at) FROM (SELECT at FROM cosm_waypoint WHERE feed = :feed ORDER BY at LIMIT :limit))
                """,
                ["feed": feed, "limit": left]
            )
            let deleted = database.changesCount
            if deleted < left { try run("DELETE FROM cosm_feed_removal WHERE feed = ?", [feed]) }
            left -= max(1, deleted)
        }
        return try next("stream", of: "cosm_removal") != nil || next("feed", of: "cosm_feed_removal") != nil
    }

    /// Returns the greatest id of a deleted feed whose waypoints remain to be deleted; 0 if there is none.
    func greatestFeed() throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(feed) FROM cosm_feed_removal")) ?? 0
    }

    private func next(_ column: StaticString, of table: StaticString) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'integer' ORDER BY \(column) LIMIT 1"
            )
        )
    }

    private func run(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
