internal import HeliumCore

/// A search for feeds and the order of its results (Docs/Protocols/Cosm.md §3.1). An empty query matches all feeds that
/// the key may read.
public struct FeedQuery: Hashable, Sendable {
    /// The page, counted from 1. Default: the first.
    public var page: Int?

    /// The number of feeds of a page, 1 to 1,000. The server's default: 50.
    public var perPage: Int?

    /// The amount of detail of each feed. The server's default: ``Content/full``.
    public var content: Content?

    /// The words of a full-text search.
    public var text: String?

    /// A tag that a datastream carries.
    public var tag: String?

    /// The owner's login.
    public var user: String?

    /// The unit of a datastream: its label, symbol or type.
    public var units: String?

    /// The status of the feeds: live or frozen.
    public var status: Feed.Status?

    /// The order of the results.
    public var order: Order?

    /// Whether each feed includes its owner. The server's default: no.
    public var showsUser: Bool?

    /// The area that the feeds lie in.
    public var area: Area?

    /// The time zone of the timestamps in the response. Default: UTC.
    public var timeZone: CosmTimeZone?

    /// Additional parameters. They replace those of the same name.
    public var additional: [String: String]

    /// Creates a query.
    public init(
        page: Int? = nil,
        perPage: Int? = nil,
        content: Content? = nil,
        text: String? = nil,
        tag: String? = nil,
        user: String? = nil,
        units: String? = nil,
        status: Feed.Status? = nil,
        order: Order? = nil,
        showsUser: Bool? = nil,
        area: Area? = nil,
        timeZone: CosmTimeZone? = nil,
        additional: [String: String] = [:]
    ) {
        self.page = page
        self.perPage = perPage
        self.content = content
        self.text = text
        self.tag = tag
        self.user = user
        self.units = units
        self.status = status
        self.order = order
        self.showsUser = showsUser
        self.area = area
        self.timeZone = timeZone
        self.additional = additional
    }
}

extension FeedQuery {
    /// The amount of detail of each feed in a list.
    public enum Content: String, Hashable, Sendable {
        /// The whole feed.
        case full
        /// The feed without its datastreams.
        case summary
    }

    /// The order of the feeds in a list.
    public enum Order: String, Hashable, Sendable {
        /// By the time of creation.
        case created = "created_at"
        /// By the time of the last write.
        case retrieved = "retrieved_at"
        /// By relevance for the search text.
        case relevance
    }

    /// The surroundings of a point on the map.
    public struct Area: Hashable, Sendable {
        /// The latitude of the centre in degrees, -90 to 90. North is positive.
        public var latitude: Double

        /// The longitude of the centre in degrees, -180 to 180. East is positive.
        public var longitude: Double

        /// The radius of the area; `nil` sorts by distance without a limit.
        public var distance: Double?

        /// The unit of ``distance``. Default: kilometres.
        public var unit: DistanceUnit

        /// Creates an area.
        public init(latitude: Double, longitude: Double, distance: Double? = nil, unit: DistanceUnit = .kilometres) {
            self.latitude = latitude
            self.longitude = longitude
            self.distance = distance
            self.unit = unit
        }
    }

    /// A unit of distance.
    public enum DistanceUnit: String, Hashable, Sendable {
        /// Kilometres.
        case kilometres = "kms"
        /// Miles.
        case miles
    }
}

extension FeedQuery {
    /// Returns the query parameters.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest`` for a value out of the service's range.
    func parameters() throws(CosmError) -> QueryParameters {
        if let page, page < 1 { throw .rule("page is \(page): it must be at least 1") }
        if let perPage, !(1...1000 ~= perPage) { throw .rule("perPage is \(perPage): it must be 1 to 1000") }
        var parameters: QueryParameters = [
            "page": page, "per_page": perPage, "content": content?.rawValue, "q": text, "tag": tag, "user": user,
            "units": units, "status": status?.rawValue, "order": order?.rawValue, "show_user": showsUser,
            "timezone": timeZone?.rawValue,
        ]
        if let area {
            guard -90...90 ~= area.latitude, -180...180 ~= area.longitude else {
                throw .rule("the centre of the area is out of range")
            }
            if let distance = area.distance, !(distance >= 0 && distance.isFinite) {
                throw .rule("the distance of the area is negative or not finite")
            }
            parameters["lat"] = area.latitude.parameterValue
            parameters["lon"] = area.longitude.parameterValue
            parameters["distance"] = area.distance?.parameterValue
            if area.distance != nil { parameters["distance_units"] = .single(area.unit.rawValue) }
        }
        parameters.merge(QueryParameters(additional))
        return parameters
    }
}

extension CosmError {
    /// Returns the error for a call that breaks a rule of the service.
    static func rule(_ message: String) -> CosmError { CosmError(.invalidRequest, message) }
}
