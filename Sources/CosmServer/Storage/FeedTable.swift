internal import GRDB
internal import HeliumServerKit

extension FeedRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "cosm_feed"

    enum Columns: String, ColumnExpression {
        case id, owner, title, description, website, email, icon, tags, latitude, longitude, elevation, created, updated
        case isPrivate = "private"
        case locationName = "location_name"
        case domain = "location_domain"
        case exposure = "location_exposure"
        case disposition = "location_disposition"
    }

    init(row: Row) {
        self.init(
            id: row[Columns.id],
            owner: row[Columns.owner],
            title: row[Columns.title],
            description: row[Columns.description],
            website: row[Columns.website],
            email: row[Columns.email],
            icon: row[Columns.icon],
            tags: (row[Columns.tags] as TagLines).tags,
            isPrivate: row[Columns.isPrivate],
            location: LocationRecord(
                name: row[Columns.locationName],
                domain: row[Columns.domain],
                exposure: row[Columns.exposure],
                disposition: row[Columns.disposition],
                latitude: row[Columns.latitude],
                longitude: row[Columns.longitude],
                elevation: row[Columns.elevation]
            ),
            created: row[Columns.created],
            updated: row[Columns.updated]
        )
    }

    func encode(to container: inout PersistenceContainer) {
        container[Columns.id] = id
        container[Columns.owner] = owner
        container[Columns.title] = title
        container[Columns.description] = description
        container[Columns.website] = website
        container[Columns.email] = email
        container[Columns.icon] = icon
        container[Columns.tags] = TagLines(tags)
        container[Columns.isPrivate] = isPrivate
        container[Columns.locationName] = location.name
        container[Columns.domain] = location.domain
        container[Columns.exposure] = location.exposure
        container[Columns.disposition] = location.disposition
        container[Columns.latitude] = location.latitude
        container[Columns.longitude] = location.longitude
        container[Columns.elevation] = location.elevation
        container[Columns.created] = created
        container[Columns.updated] = updated
    }
}

/// The stored feeds and where the mobile ones were.
struct FeedTable {
    /// A waypoint of a feed.
    private struct WaypointRecord: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "cosm_waypoint"

        let feed: Int
        let at: Int64
        let latitude: Double
        let longitude: Double
        let elevation: String?
    }

    let database: Database

    func feed(_ id: Int) throws -> FeedRecord? { try FeedRecord.fetchOne(database, where: "id = ?", [id]) }

    /// The ids of an account's feeds.
    func feeds(of owner: String) throws -> [Int] {
        try FeedRecord.fetchAll(database, where: "owner = ?", [owner]).map(\.id)
    }

    func count() throws -> Int { try FeedRecord.fetchCount(database) }

    /// Inserts or replaces.
    func save(_ feed: FeedRecord) throws { try feed.insert(database, onConflict: .replace) }

    /// Notes a write that changed nothing of the feed's own members.
    func touch(_ id: Int, at now: ServerInstant) throws {
        try database.cachedStatement(sql: "UPDATE cosm_feed SET updated = :now WHERE id = :id")
            .execute(arguments: ["now": now, "id": id])
    }

    /// Deletes the feed and its waypoints; its datastreams and triggers are theirs to delete.
    func delete(_ id: Int) throws {
        try FeedRecord.deleteOne(database, key: id)
        try WaypointRecord.delete(database, where: "feed = ?", [id])
    }

    /// Adds a waypoint; beyond `maximum` the oldest are forgotten.
    func append(_ waypoint: Waypoint, to feed: Int, maximum: Int) throws {
        try WaypointRecord(
            feed: feed,
            at: waypoint.at.microseconds,
            latitude: waypoint.latitude,
            longitude: waypoint.longitude,
            elevation: waypoint.elevation
        ).insert(database, onConflict: .replace)
        try WaypointRecord.delete(
            database,
            where: """
                feed = :feed AND at <=
                (SELECT at FROM cosm_waypoint WHERE feed = :feed ORDER BY at DESC LIMIT 1 OFFSET :maximum)
                """,
            ["feed": feed, "maximum": maximum]
        )
    }

    /// The newest waypoints of a window, oldest first.
    func waypoints(of feed: Int, from start: ServerInstant, through end: ServerInstant, limit: Int) throws -> [Waypoint]
    {
        try WaypointRecord.fetchAll(
            database,
            where: "feed = ? AND at BETWEEN ? AND ? ORDER BY at DESC LIMIT ?",
            [feed, start, end, limit]
        ).reversed().map { record in
            Waypoint(
                at: ServerInstant(microseconds: record.at),
                latitude: record.latitude,
                longitude: record.longitude,
                elevation: record.elevation
            )
        }
    }
}
