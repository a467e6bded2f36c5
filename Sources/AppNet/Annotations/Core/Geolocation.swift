public import HeliumJSON

/// The author's location.
///
/// The annotation type is `net.app.core.geolocation` (Docs/Protocols/AppNet.md §4.3).
public struct Geolocation: Hashable, Sendable {
    /// The latitude in degrees, from −90 to 90.
    public var latitude: Double?

    /// The longitude in degrees, from −180 to 180.
    public var longitude: Double?

    /// The altitude in metres.
    public var altitude: Double?

    /// The accuracy of the location in metres.
    public var horizontalAccuracy: Double?

    /// The accuracy of the altitude in metres.
    public var verticalAccuracy: Double?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a location with these members.
    public init(
        latitude: Double? = nil,
        longitude: Double? = nil,
        altitude: Double? = nil,
        horizontalAccuracy: Double? = nil,
        verticalAccuracy: Double? = nil,
        extra: JSONObject = [:]
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.extra = extra
    }
}

extension Geolocation: AppNetRecord {
    package init() { self.init(latitude: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("latitude", &latitude)
        try visitor.member("longitude", &longitude)
        try visitor.member("altitude", &altitude)
        try visitor.member("horizontal_accuracy", &horizontalAccuracy)
        try visitor.member("vertical_accuracy", &verticalAccuracy)
    }
}

extension Geolocation: Codable, JSONReadable {}

extension Geolocation: AnnotationValue {
    /// `net.app.core.geolocation`.
    public static let annotationType = "net.app.core.geolocation"
}
