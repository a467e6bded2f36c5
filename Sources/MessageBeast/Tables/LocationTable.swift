internal import AppNet
internal import GRDB

/// The display locations of messages. Triggers keep the R*Tree.
struct LocationTable {
    private let database: Database
    private let insertion: Statement
    private let deletion: Statement

    init(_ database: Database) throws {
        self.database = database
        insertion = try database.cachedStatement(
            sql: """
                INSERT INTO location_instance (local_id, name, short_name, factual_id, latitude, longitude, source)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        )
        deletion = try database.cachedStatement(sql: "DELETE FROM location_instance WHERE local_id = ?")
    }

    /// Stores the location by the first rule that succeeds, or queues the message for the geocoder.
    ///
    /// - Parameters:
    ///   - indexing: Whether the row is added to the full-text index at once, instead of with its page.
    ///   - replacesPlaces: Whether a place replaces the one in the cache.
    func insert(
        resolving rules: [LocationRule],
        of localID: Int64,
        indexing: Bool,
        replacesPlaces: Bool,
        now: Milliseconds
    ) throws {
        for rule in rules {
            switch rule {
            case .complete(let location, let place):
                if let place { try PlaceTable(database: database).save(place, replacing: replacesPlaces) }
                return try insert(location, of: localID, indexing: indexing)
            case .cachedPlace(let id):
                guard let place = try PlaceTable(database: database).place(id) else { continue }
                return try insert(place.checkin, of: localID, indexing: indexing)
            case .geocoded(let coordinates):
                let cache = GeolocationTable(database: database)
                if let location = try cache.location(at: coordinates) {
                    return try insert(location, of: localID, indexing: indexing)
                }
                return try cache.queue(localID, at: coordinates, now: now)
            }
        }
    }

    /// Stores the location of a message that has none.
    func insert(_ location: DisplayLocation, of localID: Int64, indexing: Bool) throws {
        try insertion.execute(arguments: [
            localID, location.name, location.shortName, location.factualID?.text, location.latitude, location.longitude,
            location.source.rawValue,
        ])
        if indexing { try index(localID...localID) }
    }

    /// Removes the location of a message, and its place in the geocoder's queue.
    func delete(of localID: Int64) throws {
        try deletion.execute(arguments: [localID])
        try database.cachedStatement(sql: "DELETE FROM geocode_queue WHERE local_id = ?").execute(arguments: [localID])
    }

    /// Adds new locations to the full-text index.
    func index(_ range: ClosedRange<Int64>) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO location_fts (rowid, name)
                SELECT local_id, name FROM location_instance WHERE local_id BETWEEN ? AND ?
                """
        ).execute(arguments: [range.lowerBound, range.upperBound])
    }
}
