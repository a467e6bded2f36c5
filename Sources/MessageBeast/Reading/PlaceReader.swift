internal import Foundation
internal import GRDB

/// Reads places of the cache.
struct PlaceReader {
    let database: Database

    /// The places whose names have all words of a user's input, by name.
    ///
    /// - Parameters:
    ///   - excludesCustom: Whether places of the app are left out.
    ///   - includesUnused: Whether places are found that no stored message was written at.
    func places(matching text: String, excludesCustom: Bool = false, includesUnused: Bool = false) throws
        -> [CachedPlace]
    {
        guard let pattern = SearchText.placePattern(text) else { return [] }
        let names =
            includesUnused
            ? "place.key IN (SELECT rowid FROM place_fts WHERE place_fts MATCH ?)"
            : """
            place.name IN (
                SELECT used.name FROM location_fts CROSS JOIN location_instance AS used ON used.local_id = location_fts.rowid
                WHERE location_fts MATCH ?
            )
            """
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(PlaceTable.columns) FROM place WHERE \(names) AND (place.is_custom = 0 OR ?)
                ORDER BY place.name, place.id
                """
        )
        return try Row.fetchAll(statement, arguments: [pattern, !excludesCustom]).compactMap(PlaceTable.record).map(
            \.value
        )
    }

    /// The places near coordinates, the nearest first.
    func places(
        latitude: Double,
        longitude: Double,
        precision: LocationPrecision = .hundredMeters,
        excludesCustom: Bool = false
    ) throws -> [CachedPlace] {
        try MessageReader.check(precision)
        let exact = LocationBox(latitude: latitude, longitude: longitude, precision: precision)
            .exact(latitude: "place.latitude", longitude: "place.longitude")
        let statement = try database.cachedStatement(
            sql: "SELECT \(PlaceTable.columns) FROM place WHERE \(exact.sql) AND (place.is_custom = 0 OR ?)"
        )
        let found = try Row.fetchAll(statement, arguments: exact.arguments + [!excludesCustom])
            .compactMap(PlaceTable.record)
        let distances = found.map { (place: $0, distance: Self.distance($0, latitude, longitude)) }
        let sorted = distances.sorted { left, right in
            left.distance == right.distance ? left.place.id < right.place.id : left.distance < right.distance
        }
        return sorted.map { $0.place.value }
    }

    /// The square of the distance, in degrees of latitude. Degrees of longitude are shorter away from the equator.
    private static func distance(_ place: PlaceRecord, _ latitude: Double, _ longitude: Double) -> Double {
        let north: Double = place.coordinates.latitude - latitude
        let turn: Double = abs(place.coordinates.longitude - longitude)
        let east: Double = min(turn, 360 - turn) * cos(latitude * .pi / 180)
        return north * north + east * east
    }
}
