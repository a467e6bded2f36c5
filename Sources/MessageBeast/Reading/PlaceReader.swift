internal import Foundation
internal import GRDB
internal import HeliumJSON

/// Reads places of the cache.
struct PlaceReader {
    let database: Database

    /// Returns the places whose names contain all words of a user's input, by name.
    ///
    /// - Parameters:
    ///   - excludesCustom: Whether the app's own places are left out.
    ///   - includesUnused: Whether places without a stored message are included.
    ///   - limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for a negative limit.
    func places(
        matching text: String,
        excludesCustom: Bool = false,
        includesUnused: Bool = false,
        limit: Int? = nil
    ) throws -> [CachedPlace] {
        try MessageQuery.check(limit: limit)
        guard let words = SearchText(text).query else { return [] }
        let source = try HitSource(includesUnused ? .places : .locations, words, in: database)
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(PlaceTable.columns) FROM place
                WHERE \(Self.condition(source, includesUnused: includesUnused)) AND (place.is_custom = 0 OR ?)
                ORDER BY place.name, place.id LIMIT ?
                """
        )
        return try Row.fetchAll(statement, arguments: source.arguments + [!excludesCustom, limit ?? -1])
            .compactMap(PlaceTable.record).map(\.value)
    }

    private static func condition(_ source: HitSource, includesUnused: Bool) -> String {
        if includesUnused {
            return "place.key IN (SELECT \(source.localID) FROM \(source.table) WHERE \(source.condition))"
        }
        return """
            place.name IN (
                SELECT used.name FROM \(source.table)
                CROSS JOIN location_instance AS used ON used.local_id = \(source.localID)
                WHERE \(source.condition)
            )
            """
    }

    /// Returns the places near coordinates, nearest first.
    ///
    /// - Parameter limit: The maximum number of places; `nil` for all.
    /// - Throws: ``MessageBeastError/Kind/invalidArgument`` for a negative limit, and for coordinates or a precision out
    ///   of range.
    func places(
        latitude: Double,
        longitude: Double,
        precision: LocationPrecision = .hundredMeters,
        excludesCustom: Bool = false,
        limit: Int? = nil
    ) throws -> [CachedPlace] {
        try MessageReader.check(precision)
        try MessageReader.check(latitude: latitude, longitude: longitude)
        try MessageQuery.check(limit: limit)
        let exact = LocationBox(latitude: latitude, longitude: longitude, precision: precision)
            .exact(latitude: "place.latitude", longitude: "place.longitude")
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(PlaceTable.columns) FROM place
                WHERE place.lat_key BETWEEN ? AND ? AND \(exact.sql) AND (place.is_custom = 0 OR ?)
                """
        )
        // Keys are truncated. One more key on both sides includes everything that the exact condition can accept.
        let keys: StatementArguments = [
            Coordinates.key(latitude - precision.degrees) - 1, Coordinates.key(latitude + precision.degrees) + 1,
        ]
        let found = try Row.fetchAll(statement, arguments: keys + exact.arguments + [!excludesCustom])
            .compactMap(PlaceTable.record)
        let distances = found.map { (place: $0, distance: Self.distance($0, latitude, longitude)) }
        let sorted = distances.sorted { left, right in
            left.distance == right.distance
                ? left.place.id.bytesPrecede(right.place.id) : left.distance < right.distance
        }
        return sorted.prefix(limit ?? .max).map { $0.place.value }
    }

    /// Returns the squared distance, in degrees of latitude. Degrees of longitude are shorter away from the equator.
    private static func distance(_ place: PlaceRecord, _ latitude: Double, _ longitude: Double) -> Double {
        let north: Double = place.coordinates.latitude - latitude
        let turn: Double = abs(place.coordinates.longitude - longitude)
        let east: Double = min(turn, 360 - turn) * cos(latitude * .pi / 180)
        return north * north + east * east
    }
}
