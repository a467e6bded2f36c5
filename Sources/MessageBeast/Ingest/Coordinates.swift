internal import AppNet
internal import HeliumJSON

/// The coordinates of a point on Earth.
struct Coordinates: Hashable, Sendable {
    let latitude: Double
    let longitude: Double

    /// Creates a point; `nil` if the coordinates are missing or out of range.
    init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude, -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Reads the point of an annotation, whose coordinates are numbers or texts of numbers.
    init?(_ value: JSONObject) {
        self.init(latitude: Self.number(value["latitude"]), longitude: Self.number(value["longitude"]))
    }

    private static func number(_ value: JSONValue?) -> Double? {
        value?.doubleValue ?? value?.stringValue.flatMap(JSONNumber.init)?.doubleValue
    }

    /// Returns a coordinate, truncated to 3 decimals, in thousandths of a degree.
    ///
    /// A value with at most 3 decimals is kept exactly, although doubles represent it inexactly.
    static func key(_ degrees: Double) -> Int64 { key(degrees, unit: 0.001) }

    /// Returns a coordinate, truncated to a multiple of a unit, in units.
    static func key(_ degrees: Double, unit: Double) -> Int64 {
        let scaled = degrees / unit
        // A very small unit would overflow. No number is no coordinate, and has no neighbours.
        if scaled.isNaN { return .min }
        return Int64(min(max((scaled + (scaled < 0 ? -1e-6 : 1e-6)).rounded(.towardZero), -1e18), 1e18))
    }

    var latitudeKey: Int64 { Self.key(latitude) }
    var longitudeKey: Int64 { Self.key(longitude) }
}
