internal import GRDB

/// The cells of the messages that wait for the geocoder: their coordinates in thousandths of a degree.
struct GeocodeCells {
    let database: Database

    /// Corrects the stored cells.
    func correct() throws {
        for (localID, coordinates) in try wrong() {
            try database.execute(
                sql: "UPDATE geocode_queue SET lat_key = ?, lon_key = ? WHERE local_id = ?",
                arguments: [coordinates.latitudeKey, coordinates.longitudeKey, localID]
            )
        }
    }

    /// Returns the messages whose cells do not contain their coordinates.
    ///
    /// Before version 4 of the schema, a query computed the cells with other rounding. Such a message never got the
    /// result for its cell.
    func wrong() throws -> [(localID: Int64, coordinates: Coordinates)] {
        let hasCells = try Int.fetchOne(
            database,
            sql: "SELECT 1 FROM pragma_table_info('geocode_queue') WHERE name = 'lat_key'"
        )
        let cells = hasCells != nil ? "lat_key, lon_key" : "\(Self.computed("latitude")), \(Self.computed("longitude"))"
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT local_id, latitude, longitude, \(cells) FROM geocode_queue ORDER BY local_id"
        )
        var wrong: [(localID: Int64, coordinates: Coordinates)] = []
        while let row = try rows.next() {
            guard let coordinates = Coordinates(latitude: row[1], longitude: row[2]) else { continue }
            if row[3] != coordinates.latitudeKey || row[4] != coordinates.longitudeKey {
                wrong.append((row[0], coordinates))
            }
        }
        return wrong
    }

    private static func computed(_ column: String) -> String {
        "CAST(\(column) * 1000 + CASE WHEN \(column) < 0 THEN -1e-6 ELSE 1e-6 END AS INTEGER)"
    }
}
