internal import GRDB

/// The messages whose coordinates wait for a place name.
struct GeocodeQueue {
    let database: Database

    /// The next message.
    struct Entry: Sendable {
        let coordinates: Coordinates
        let attempts: Int
        let due: Milliseconds
    }

    /// The time for which the geocoder is not asked again for coordinates that it has no name for: the longest delay that
    /// is stored.
    static let missDelay = Duration.seconds(30 * 86_400)

    /// Returns the next message.
    ///
    /// A message that was never looked up waits only while the geocoder is known to have no name for its cell. Otherwise,
    /// its time is later than now only if the clock has been set back since.
    func next(now: Milliseconds) throws -> Entry? {
        guard let earliest = try first() else { return nil }
        let missed = """
            SELECT 1 FROM geolocation AS g
            WHERE g.lat_key = geocode_queue.lat_key AND g.lon_key = geocode_queue.lon_key
                AND g.failed_until_ms > ? AND g.failed_until_ms <= ?
            """
        guard earliest.due > now,
            let untried = try first(
                "WHERE attempts = 0 AND NOT EXISTS (\(missed))",
                [now.value, (now + Self.missDelay).value]
            )
        else { return earliest }
        return Entry(coordinates: untried.coordinates, attempts: 0, due: now)
    }

    func first(_ condition: String = "", _ arguments: StatementArguments = []) throws -> Entry? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT latitude, longitude, attempts, next_attempt_ms FROM geocode_queue \(condition)
                ORDER BY next_attempt_ms, local_id LIMIT 1
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: arguments),
            let coordinates = Coordinates(latitude: row[0], longitude: row[1])
        else { return nil }
        return Entry(coordinates: coordinates, attempts: row[2], due: Milliseconds(row[3] as Int64))
    }

    /// Returns the messages in the same cell as coordinates. A cell has three decimals.
    func messages(at coordinates: Coordinates) throws -> [Int64] {
        try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT local_id FROM geocode_queue WHERE lat_key = ? AND lon_key = ? ORDER BY local_id"
            ),
            arguments: [coordinates.latitudeKey, coordinates.longitudeKey]
        )
    }

    /// Postpones the messages in the same cell as coordinates after an attempt without a result.
    func postpone(_ coordinates: Coordinates, until due: Milliseconds) throws {
        try database.cachedStatement(
            sql: """
                UPDATE geocode_queue SET attempts = attempts + 1, next_attempt_ms = ? WHERE lat_key = ? AND lon_key = ?
                """
        ).execute(arguments: [due.value, coordinates.latitudeKey, coordinates.longitudeKey])
    }
}
