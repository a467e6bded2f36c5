internal import AppNet
internal import GRDB

/// The names of coordinates that a geocoder found, and the messages that wait for it.
struct GeolocationTable {
    let database: Database

    /// Returns the location for coordinates whose name is known; `nil` for others.
    func location(at coordinates: Coordinates) throws -> DisplayLocation? {
        let statement = try database.cachedStatement(
            sql: "SELECT locality, sub_locality FROM geolocation WHERE lat_key = ? AND lon_key = ?"
        )
        let keys: StatementArguments = [coordinates.latitudeKey, coordinates.longitudeKey]
        guard let row = try Row.fetchOne(statement, arguments: keys) else { return nil }
        let found = GeocodedLocation(locality: row[0], subLocality: row[1])
        guard let name = found.name else { return nil }
        return DisplayLocation(
            name: FoldedText.placeName(name),
            shortName: found.subLocality,
            latitude: coordinates.latitude,
            longitude: coordinates.longitude,
            source: .geolocation
        )
    }

    /// Stores the names of coordinates.
    ///
    /// - Parameter failedUntil: The time before which the geocoder is not queried again, if it found nothing.
    func save(
        _ location: GeocodedLocation,
        at coordinates: Coordinates,
        now: Milliseconds,
        failedUntil: Milliseconds? = nil
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO geolocation (lat_key, lon_key, locality, sub_locality, fetched_ms, failed_until_ms)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (lat_key, lon_key) DO UPDATE SET
                    locality = excluded.locality, sub_locality = excluded.sub_locality,
                    fetched_ms = excluded.fetched_ms, failed_until_ms = excluded.failed_until_ms
                """
        ).execute(arguments: [
            coordinates.latitudeKey, coordinates.longitudeKey, location.locality.map(FoldedText.withoutNull),
            location.subLocality.map(FoldedText.withoutNull), now.value,
            failedUntil?.value,
        ])
    }

    /// Queues a message for the geocoder, at once or when a recorded failure for the same coordinates expires.
    ///
    /// A message that already waits for the same coordinates keeps its attempts.
    func queue(_ localID: Int64, at coordinates: Coordinates, now: Milliseconds) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO geocode_queue (local_id, latitude, longitude, lat_key, lon_key, next_attempt_ms)
                VALUES (?1, ?2, ?3, ?4, ?5, coalesce(
                    (SELECT max(failed_until_ms, ?6) FROM geolocation WHERE lat_key = ?4 AND lon_key = ?5), ?6
                ))
                ON CONFLICT (local_id) DO UPDATE SET
                    latitude = excluded.latitude, longitude = excluded.longitude, lat_key = excluded.lat_key,
                    lon_key = excluded.lon_key, attempts = 0, next_attempt_ms = excluded.next_attempt_ms
                WHERE latitude <> excluded.latitude OR longitude <> excluded.longitude
                """
        ).execute(arguments: [
            localID, coordinates.latitude, coordinates.longitude, coordinates.latitudeKey, coordinates.longitudeKey,
            now.value,
        ])
    }

    /// Removes a message from the geocoder's queue.
    func dequeue(_ localID: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM geocode_queue WHERE local_id = ?").execute(arguments: [localID])
    }
}
