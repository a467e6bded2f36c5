public import HeliumJSON

/// Where a feed is (§10).
public struct Location: Hashable, Sendable {
    /// The place's name.
    public var name: String?

    /// Whether it is a real place.
    public var domain: Domain?

    /// Whether it is under a roof.
    public var exposure: Exposure?

    /// Whether it moves.
    public var disposition: Disposition?

    /// Degrees north (`lat`).
    public var latitude: Double?

    /// Degrees east (`lon`).
    public var longitude: Double?

    /// The height in metres, as the text it has (`ele`): `"23.0"`.
    public var elevation: DatapointValue?

    /// Of a mobile feed, where it was.
    public var waypoints: [Waypoint]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A place of these members.
    public init(
        name: String? = nil,
        domain: Domain? = nil,
        exposure: Exposure? = nil,
        disposition: Disposition? = nil,
        latitude: Double? = nil,
        longitude: Double? = nil,
        elevation: DatapointValue? = nil,
        waypoints: [Waypoint]? = nil,
        extra: JSONObject = [:]
    ) {
        self.name = name
        self.domain = domain
        self.exposure = exposure
        self.disposition = disposition
        self.latitude = latitude
        self.longitude = longitude
        self.elevation = elevation
        self.waypoints = waypoints
        self.extra = extra
    }
}

extension Location {
    /// Where a mobile feed was at some time.
    public struct Waypoint: Hashable, Sendable {
        /// When.
        public var at: Timestamp?

        /// Degrees north (`lat`).
        public var latitude: Double?

        /// Degrees east (`lon`).
        public var longitude: Double?

        /// The height in metres, as the text it has (`ele`).
        public var elevation: DatapointValue?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A waypoint of these members.
        public init(
            at: Timestamp? = nil,
            latitude: Double? = nil,
            longitude: Double? = nil,
            elevation: DatapointValue? = nil,
            extra: JSONObject = [:]
        ) {
            self.at = at
            self.latitude = latitude
            self.longitude = longitude
            self.elevation = elevation
            self.extra = extra
        }
    }
}

extension Location: CosmRecord {
    init() { self.init(name: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("name", \.name, .client)
        try visitor.member("domain", \.domain, .client.xml(.attribute))
        try visitor.member("exposure", \.exposure, .client.xml(.attribute))
        try visitor.member("disposition", \.disposition, .client.xml(.attribute))
        try visitor.member("lat", \.latitude, .client)
        try visitor.member("lon", \.longitude, .client)
        try visitor.member("ele", \.elevation, .client)
        try visitor.records("waypoints", of: "waypoint", \.waypoints, .service.xml(.absent))
    }
}

extension Location.Waypoint: CosmRecord {
    init() { self.init(at: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("at", \.at, .service)
        try visitor.member("lat", \.latitude, .service)
        try visitor.member("lon", \.longitude, .service)
        try visitor.member("ele", \.elevation, .service)
    }
}

extension Location: Codable, JSONReadable {
    /// Reads a place by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a place by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension Location.Waypoint: Codable, JSONReadable {
    /// Reads a waypoint by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a waypoint by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
