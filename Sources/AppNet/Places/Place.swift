public import HeliumJSON

/// A place in the database (Docs/Protocols/AppNet.md §3.5), or one that an author describes (§4.4).
public struct Place: Hashable, Sendable {
    /// A place's id.
    public typealias ID = AppNetID<Place>

    /// The id in the database, which is a UUID.
    public var factualID: ID?

    /// The name.
    public var name: String?

    /// The street and house number.
    public var address: String?

    /// The rest of the address, such as a floor.
    public var addressExtended: String?

    /// The town.
    public var locality: String?

    /// The state or province.
    public var region: String?

    /// An additional administrative region.
    public var adminRegion: String?

    /// The town of the post office.
    public var postTown: String?

    /// The post office box.
    public var poBox: String?

    /// The post code.
    public var postcode: String?

    /// The country code: two letters, in lower case in responses.
    public var countryCode: String?

    /// The latitude in degrees, from −90 to 90.
    public var latitude: Double?

    /// The longitude in degrees, from −180 to 180.
    public var longitude: Double?

    /// Whether the place is still in business.
    public var isOpen: Bool?

    /// The telephone number.
    public var telephone: String?

    /// The fax number.
    public var fax: String?

    /// The website.
    public var website: WebAddress?

    /// The categories.
    public var categories: [Category]?

    /// The distance in metres. Only present in search results.
    public var distance: Double?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a place with these members.
    public init(
        factualID: ID? = nil,
        name: String? = nil,
        address: String? = nil,
        addressExtended: String? = nil,
        locality: String? = nil,
        region: String? = nil,
        adminRegion: String? = nil,
        postTown: String? = nil,
        poBox: String? = nil,
        postcode: String? = nil,
        countryCode: String? = nil,
        latitude: Double? = nil,
        longitude: Double? = nil,
        isOpen: Bool? = nil,
        telephone: String? = nil,
        fax: String? = nil,
        website: WebAddress? = nil,
        categories: [Category]? = nil,
        distance: Double? = nil,
        extra: JSONObject = [:]
    ) {
        self.factualID = factualID
        self.name = name
        self.address = address
        self.addressExtended = addressExtended
        self.locality = locality
        self.region = region
        self.adminRegion = adminRegion
        self.postTown = postTown
        self.poBox = poBox
        self.postcode = postcode
        self.countryCode = countryCode
        self.latitude = latitude
        self.longitude = longitude
        self.isOpen = isOpen
        self.telephone = telephone
        self.fax = fax
        self.website = website
        self.categories = categories
        self.distance = distance
        self.extra = extra
    }
}

extension Place: AppNetRecord {
    package init() { self.init(factualID: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("factual_id", &factualID)
        try visitor.member("name", &name)
        try visitor.member("address", &address)
        try visitor.member("address_extended", &addressExtended)
        try visitor.member("locality", &locality)
        try visitor.member("region", &region)
        try visitor.member("admin_region", &adminRegion)
        try visitor.member("post_town", &postTown)
        try visitor.member("po_box", &poBox)
        try visitor.member("postcode", &postcode)
        try visitor.member("country_code", &countryCode)
        try visitor.member("latitude", &latitude)
        try visitor.member("longitude", &longitude)
        try visitor.member("is_open", &isOpen)
        try visitor.member("telephone", &telephone)
        try visitor.member("fax", &fax)
        try visitor.member("website", &website)
        try visitor.value("categories", &categories)
        try visitor.member("distance", &distance)
    }
}

extension Place: Codable, JSONReadable {}

extension Place {
    /// A category of places.
    public struct Category: Hashable, Sendable {
        /// The category's id.
        public var id: String?

        /// The names of the category, from general to specific.
        public var labels: [String]?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a category with these members.
        public init(
            id: String? = nil,
            labels: [String]? = nil,
            extra: JSONObject = [:]
        ) {
            self.id = id
            self.labels = labels
            self.extra = extra
        }
    }
}

extension Place.Category: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.list("labels", &labels)
    }
}

extension Place.Category: Codable, JSONReadable {}
