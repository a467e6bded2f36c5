public import HeliumJSON

/// A place of the database (§3.5), or one that a writer describes (§4.4).
public struct Place: Hashable, Sendable {
    /// A place's id.
    public typealias ID = AppNetID<Place>

    /// The id in the database: a UUID.
    public var factualID: ID?

    /// The name.
    public var name: String?

    /// Street and number.
    public var address: String?

    /// More of the address: a floor.
    public var addressExtended: String?

    /// The town.
    public var locality: String?

    /// The state or province.
    public var region: String?

    /// A further division.
    public var adminRegion: String?

    /// The town of the post office.
    public var postTown: String?

    /// The box at the post office.
    public var poBox: String?

    /// The post code.
    public var postcode: String?

    /// The country: two letters, lower case on the wire.
    public var countryCode: String?

    /// Degrees north, −90 to 90.
    public var latitude: Double?

    /// Degrees east, −180 to 180.
    public var longitude: Double?

    /// Whether it is still in business.
    public var isOpen: Bool?

    /// The telephone number.
    public var telephone: String?

    /// The fax number.
    public var fax: String?

    /// The page.
    public var website: WebAddress?

    /// What it is.
    public var categories: [Category]?

    /// How far it is in metres; in answers to a search.
    public var distance: Double?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A place of these members.
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

extension Place: Codable, JSONReadable {
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

extension Place {
    /// What a place is.
    public struct Category: Hashable, Sendable {
        /// The category's id.
        public var id: String?

        /// Its names, from the general to the specific.
        public var labels: [String]?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A category.
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

extension Place.Category: Codable, JSONReadable {
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
