internal import GRDB
internal import HeliumServerKit

/// The stored feeds and where the mobile ones were.
struct FeedTable {
    let database: Database

    func feed(_ id: Int) throws -> FeedRecord? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM cosm_feed WHERE id = ?")
        return try Row.fetchOne(statement, arguments: [id]).map(FeedRecord.init(row:))
    }

    /// The ids of an account's feeds.
    func feeds(of owner: String) throws -> [Int] {
        try Int.fetchAll(database, sql: "SELECT id FROM cosm_feed WHERE owner = ?", arguments: [owner])
    }

    func count() throws -> Int { try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM cosm_feed") ?? 0 }

    /// Inserts or replaces.
    func save(_ feed: FeedRecord) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO cosm_feed (id, owner, title, description, website, email, icon, tags, private,
                location_name, location_domain, location_exposure, location_disposition, latitude, longitude, elevation,
                created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        let location = feed.location
        let arguments: [(any DatabaseValueConvertible)?] = [
            feed.id, feed.owner, feed.title, feed.description, feed.website, feed.email, feed.icon,
            TagList.stored(feed.tags), feed.isPrivate, location.name, location.domain, location.exposure,
            location.disposition, location.latitude, location.longitude, location.elevation,
            feed.created.microseconds, feed.updated.microseconds,
        ]
        try statement.execute(arguments: StatementArguments(arguments))
    }

    /// Notes a write that changed nothing of the feed's own members.
    func touch(_ id: Int, at now: ServerInstant) throws {
        try database.cachedStatement(sql: "UPDATE cosm_feed SET updated = ? WHERE id = ?")
            .execute(arguments: [now.microseconds, id])
    }

    /// Deletes the feed and its waypoints; its datastreams and triggers are theirs to delete.
    func delete(_ id: Int) throws {
        try database.execute(sql: "DELETE FROM cosm_feed WHERE id = ?", arguments: [id])
        try database.execute(sql: "DELETE FROM cosm_waypoint WHERE feed = ?", arguments: [id])
    }

    /// Adds a waypoint; beyond `maximum` the oldest are forgotten.
    func append(_ waypoint: Waypoint, to feed: Int, maximum: Int) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO cosm_waypoint (feed, at, latitude, longitude, elevation) VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                feed, waypoint.at.microseconds, waypoint.latitude, waypoint.longitude, waypoint.elevation,
            ]
        )
        try database.execute(
            sql: """
                DELETE FROM cosm_waypoint WHERE feed = :feed AND at <=
                (SELECT at FROM cosm_waypoint WHERE feed = :feed ORDER BY at DESC LIMIT 1 OFFSET :maximum)
                """,
            arguments: ["feed": feed, "maximum": maximum]
        )
    }

    /// The newest waypoints of a window, oldest first.
    func waypoints(of feed: Int, from start: ServerInstant, through end: ServerInstant, limit: Int) throws -> [Waypoint]
    {
        let statement = try database.cachedStatement(
            sql: """
                SELECT * FROM cosm_waypoint WHERE feed = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: [feed, start.microseconds, end.microseconds, limit])
            .reversed().map { row in
                Waypoint(
                    at: ServerInstant(microseconds: row["at"]),
                    latitude: row["latitude"],
                    longitude: row["longitude"],
                    elevation: row["elevation"]
                )
            }
    }
}

extension FeedRecord {
    init(row: Row) {
        self.init(
            id: row["id"],
            owner: row["owner"],
            title: row["title"],
            description: row["description"],
            website: row["website"],
            email: row["email"],
            icon: row["icon"],
            tags: TagList.restored(row["tags"]),
            isPrivate: row["private"],
            location: LocationRecord(
                name: row["location_name"],
                domain: row["location_domain"],
                exposure: row["location_exposure"],
                disposition: row["location_disposition"],
                latitude: row["latitude"],
                longitude: row["longitude"],
                elevation: row["elevation"]
            ),
            created: ServerInstant(microseconds: row["created"]),
            updated: ServerInstant(microseconds: row["updated"])
        )
    }
}
