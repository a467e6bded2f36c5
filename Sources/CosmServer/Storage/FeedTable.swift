internal import GRDB
internal import HeliumServerKit

extension FeedRecord: ColumnMappedRecord, PersistableRecord {
    static let databaseTableName = "cosm_feed"

    static let blank = Self(id: 0, owner: "", title: "", created: .earliest, updated: .earliest)

    static let columns: [RecordColumn<Self>] = [
        RecordColumn("id", \.id), RecordColumn("owner", \.owner), RecordColumn("title", \.title),
        RecordColumn("description", \.description), RecordColumn("website", \.website),
        RecordColumn("email", \.email), RecordColumn("icon", \.icon), RecordColumn("tags", \.$tags),
        RecordColumn("private", \.isPrivate), RecordColumn("location_name", \.location.name),
        RecordColumn("location_domain", \.location.domain), RecordColumn("location_exposure", \.location.exposure),
        RecordColumn("location_disposition", \.location.disposition), RecordColumn("latitude", \.location.latitude),
        RecordColumn("longitude", \.location.longitude), RecordColumn("elevation", \.location.elevation),
        RecordColumn("created", \.created), RecordColumn("updated", \.updated),
    ]
}

extension Waypoint: EncodableRecord, FetchableRecord, TableRecord {
    static let databaseTableName = "cosm_waypoint"
}

/// The table of feeds and of the waypoints of mobile feeds.
struct FeedTable {
    private struct StoredWaypoint: PersistableRecord {
        static let databaseTableName = Waypoint.databaseTableName

        let feed: Int
        let waypoint: Waypoint

        func encode(to container: inout PersistenceContainer) throws {
            container["feed"] = feed
            try waypoint.encode(to: &container)
        }
    }

    let database: Database

    func feed(_ id: Int) throws -> FeedRecord? { try FeedRecord.fetchOne(database, where: "id = ?", [id]) }

    /// Returns a feed without its texts except the title, as ``FeedDocument/abbreviate()`` does, but without reading
    /// them.
    func abbreviatedFeed(_ id: Int) throws -> FeedRecord? {
        let sql = """
            SELECT id, owner, title, NULL AS description, NULL AS website, NULL AS email, NULL AS icon, '' AS tags,
            private, NULL AS location_name, location_domain, location_exposure, location_disposition,
            latitude, longitude, NULL AS elevation, created, updated FROM cosm_feed WHERE id = ?
            """
        return try FeedRecord.fetchReadable(database, database.cachedStatement(sql: sql), [id]).first
    }

    /// Returns the ids of an account's first feeds.
    func feeds(of owner: String, limit: Int) throws -> [Int] {
        try Int.fetchAll(
            database.cachedStatement(sql: "SELECT id FROM cosm_feed WHERE owner = ? ORDER BY id LIMIT ?"),
            arguments: [owner, limit]
        )
    }

    func count() throws -> Int { try FeedRecord.fetchCount(database) }

    /// Returns the number of those of an account.
    func count(of owner: String) throws -> Int { try FeedRecord.fetchCount(database, where: "owner = ?", [owner]) }

    /// Inserts a feed.
    ///
    /// - Throws: GRDB's `DatabaseError` if a feed has its id.
    func insert(_ feed: FeedRecord) throws { try feed.insert(database) }

    func update(_ feed: FeedRecord) throws { try feed.update(database) }

    /// Returns the greatest id of a feed, or of a deleted one whose waypoints remain to be deleted; 0 if there is none.
    func greatestID() throws -> Int64 {
        try max(
            FeedRecord.greatest("id", database),
            Waypoint.greatest("feed", database),
            PointRemoval(database: database).greatestFeed()
        )
    }

    /// Records the time of a write that does not change the feed's own members.
    func touch(_ id: Int, at now: ServerInstant) throws {
        try database.cachedStatement(sql: "UPDATE cosm_feed SET updated = :now WHERE id = :id")
            .execute(arguments: ["now": now, "id": id])
    }

    /// Deletes a feed. The caller deletes its datastreams and triggers. Its waypoints cannot be reached any more, and
    /// remain to be deleted (``PointRemoval``).
    func delete(_ id: Int) throws { try FeedRecord.deleteOne(database, key: id) }

    /// Adds a waypoint. Beyond `maximum` the oldest ones are deleted.
    func append(_ waypoint: Waypoint, to feed: Int, maximum: Int) throws {
        try StoredWaypoint(feed: feed, waypoint: waypoint).insert(database, onConflict: .replace)
        try Waypoint.delete(
            database,
            where: """
                feed = :feed AND at <=
                (SELECT at FROM cosm_waypoint WHERE feed = :feed ORDER BY at DESC LIMIT 1 OFFSET :maximum)
                """,
            ["feed": feed, "maximum": maximum]
        )
    }

    /// Returns the newest waypoints of a window, oldest first.
    func waypoints(of feed: Int, from start: ServerInstant, through end: ServerInstant, limit: Int) throws -> [Waypoint]
    {
        try Waypoint.fetchAll(
            database,
            where: "feed = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?",
            [feed, start, end, limit]
        ).reversed()
    }
}
