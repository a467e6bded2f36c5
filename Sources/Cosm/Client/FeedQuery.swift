internal import HeliumCore

/// Which feeds a list has, and in which order (§3.1). Without anything: all that the key may read.
public struct FeedQuery: Hashable, Sendable {
    /// The page, from 1. Default: the first.
    public var page: Int?

    /// How many feeds a page has, 1 to 1,000. The server's default: 50.
    public var perPage: Int?

    /// How much of each feed comes. The server's default: all of it.
    public var content: Content?

    /// Words to look for.
    public var text: String?

    /// A tag that a datastream carries.
    public var tag: String?

    /// The owner's login.
    public var user: String?

    /// The unit of a datastream: its label, symbol or type.
    public var units: String?

    /// Only live feeds, or only frozen ones.
    public var status: Feed.Status?

    /// The order.
    public var order: Order?

    /// Whether each feed comes with its owner. The server's default: no.
    public var showsUser: Bool?

    /// Only feeds around a place.
    public var area: Area?

    /// The zone of the stamps in the answer. Default: UTC.
    public var timeZone: CosmTimeZone?

    /// Parameters that are not here. They replace those that are.
    public var additional: [String: String]

    /// A query of these parts.
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
    /// How much of each feed comes.
    public enum Content: String, Hashable, Sendable {
        /// All of it.
        case full
        /// Everything but the datastreams.
        case summary
    }

    /// How feeds are ordered.
    public enum Order: String, Hashable, Sendable {
        /// By when they were created.
        case created = "created_at"
        /// By when they were last written to.
        case retrieved = "retrieved_at"
        /// By how well they match the text.
        case relevance
    }

    /// The surroundings of a place.
    public struct Area: Hashable, Sendable {
        /// Degrees north of its centre, -90 to 90.
        public var latitude: Double

        /// Degrees east of its centre, -180 to 180.
        public var longitude: Double

        /// How far it goes; `nil` sorts by distance without an end.
        public var distance: Double?

        /// What the distance counts. Default: kilometres.
        public var unit: DistanceUnit

        /// An area.
        public init(latitude: Double, longitude: Double, distance: Double? = nil, unit: DistanceUnit = .kilometres) {
            self.latitude = latitude
            self.longitude = longitude
            self.distance = distance
            self.unit = unit
        }
    }

    /// What distances count.
    public enum DistanceUnit: String, Hashable, Sendable {
        /// Kilometres.
        case kilometres = "kms"
        /// Miles.
        case miles
    }
}

extension FeedQuery {
    /// The parameters.
    ///
    /// - Throws: ``CosmError`` of kind ``CosmError/Kind/invalidRequest`` for what the service takes no such value of.
    func parameters() throws(CosmError) -> QueryParameters {
        if let page, page < 1 { throw .rule("page is \(page): pages are counted from 1") }
        if let perPage, !(1...1000 ~= perPage) { throw .rule("perPage is \(perPage): 1 to 1000 are possible") }
        var parameters: QueryParameters = [
            "page": page, "per_page": perPage, "content": content?.rawValue, "q": text, "tag": tag, "user": user,
            "units": units, "status": status?.rawValue, "order": order?.rawValue, "show_user": showsUser,
            "timezone": timeZone?.rawValue,
        ]
        if let area {
            guard -90...90 ~= area.latitude, -180...180 ~= area.longitude else {
                throw .rule("the area's centre is no place on earth")
            }
            if let distance = area.distance, !(distance >= 0 && distance.isFinite) {
                throw .rule("the area's distance is negative or no number")
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
    /// The call would break a rule of the service.
    static func rule(_ message: String) -> CosmError { CosmError(.invalidRequest, message) }
}
