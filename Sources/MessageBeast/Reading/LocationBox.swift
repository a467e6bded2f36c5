internal import GRDB

/// The points whose latitude and longitude differ from those of a point by at most a precision, also across the ±180°
/// meridian.
struct LocationBox {
    let latitude: Double
    let longitude: Double
    let precision: LocationPrecision

    /// The tolerance of comparisons, in degrees.
    private static let tolerance = 1e-9
    /// The tolerance for the R*Tree, which stores 32-bit floats: up to 1e-5° from the true coordinates.
    private static let rounding = 1e-4

    /// Returns the condition on the doubles of a row.
    func exact(latitude column: String, longitude other: String) -> (sql: String, arguments: StatementArguments) {
        let limit = precision.degrees + Self.tolerance
        let sql = """
            abs(\(column) - ?) <= ? AND min(abs(\(other) - ?), 360 - abs(\(other) - ?)) <= ?
            """
        return (sql, [latitude, limit, longitude, longitude, limit])
    }

    /// A query for the local ids that may be in the box.
    var candidates: (sql: String, arguments: StatementArguments) {
        let reach = precision.degrees + Self.rounding
        let boxes = [0.0, 360, -360].filter { turn in
            longitude + turn + reach >= -180 - Self.rounding && longitude + turn - reach <= 180 + Self.rounding
        }
        // The column is only constrained by ranges, so that the same query text serves all boxes.
        let query = """
            SELECT local_id FROM location_rtree
            WHERE max_latitude >= ? AND min_latitude <= ? AND max_longitude >= ? AND min_longitude <= ?
            """
        var arguments: StatementArguments = []
        for turn in boxes {
            arguments += [latitude - reach, latitude + reach, longitude + turn - reach, longitude + turn + reach]
        }
        return (boxes.map { _ in query }.joined(separator: " UNION ALL "), arguments)
    }
}
