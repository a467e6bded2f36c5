public import HeliumJSON

/// The location of a feed (Docs/Protocols/Cosm.md §10).
public struct Location: Hashable, Sendable {
    /// The name of the location.
    public var name: String?

    /// The domain: physical or virtual.
    public var domain: Domain?

    /// The exposure: indoor or outdoor.
    public var exposure: Exposure?

    /// The disposition: fixed or mobile.
    public var disposition: Disposition?

    /// The latitude in degrees (`lat`). North is positive.
    public var latitude: Double?

    /// The longitude in degrees (`lon`). East is positive.
    public var longitude: Double?

    /// The elevation in metres (`ele`), as the text in the document: `"23.0"`.
    public var elevation: DatapointValue?

    /// The former positions of a mobile feed.
    public var waypoints: [Waypoint]?

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a location.
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
    /// A position of a mobile feed at an instant.
    public struct Waypoint: Hashable, Sendable {
        /// The instant.
        public var at: Timestamp?

        /// The latitude in degrees (`lat`). North is positive.
        public var latitude: Double?

        /// The longitude in degrees (`lon`). East is positive.
        public var longitude: Double?

        /// The elevation in metres (`ele`), as the text in the document.
        public var elevation: DatapointValue?

        /// The unknown members of the document. They are encoded unless a property has the same name.
        public var extra = JSONObject()

        /// Creates a waypoint.
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

extension Location: Codable, JSONReadable {}

extension Location.Waypoint: Codable, JSONReadable {}
