internal import AppNet
internal import HeliumJSON

/// Coordinates of a point on earth.
struct Coordinates: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    /// The point with these coordinates; `nil` for those that no point has.
    init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude, -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The point of an annotation, whose coordinates are numbers or texts of numbers.
    init?(_ value: JSONObject) {
        self.init(latitude: Self.number(value["latitude"]), longitude: Self.number(value["longitude"]))
    }

    private static func number(_ value: JSONValue?) -> Double? {
        value?.doubleValue ?? value?.stringValue.flatMap(JSONNumber.init)?.doubleValue
    }

    /// A coordinate, truncated to 3 decimals, in thousandths of a degree. A value that has no more decimals is kept, though
    /// doubles represent it inexactly.
    static func key(_ degrees: Double) -> Int64 { key(degrees, unit: 0.001) }

    /// A coordinate, truncated to a multiple of a unit, in units.
    static func key(_ degrees: Double, unit: Double) -> Int64 {
        let scaled = degrees / unit
        // A very small unit would overflow.
        return Int64(min(max((scaled + (scaled < 0 ? -1e-6 : 1e-6)).rounded(.towardZero), -1e18), 1e18))
    }

    var latitudeKey: Int64 { Self.key(latitude) }
    var longitudeKey: Int64 { Self.key(longitude) }
}
