public import HeliumJSON

/// Where the writer was.
///
/// Its type is `net.app.core.geolocation` (§4).
public struct Geolocation: Hashable, Sendable {
    /// Degrees north, −90 to 90.
    public var latitude: Double?

    /// Degrees east, −180 to 180.
    public var longitude: Double?

    /// Metres above the sea.
    public var altitude: Double?

    /// How exact the place is, in metres.
    public var horizontalAccuracy: Double?

    /// How exact the altitude is, in metres.
    public var verticalAccuracy: Double?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A place on earth.
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

extension Geolocation: Codable, JSONReadable {
    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads the members that are there.
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension Geolocation: AnnotationValue {
    /// `net.app.core.geolocation`.
    public static let annotationType = "net.app.core.geolocation"
}
