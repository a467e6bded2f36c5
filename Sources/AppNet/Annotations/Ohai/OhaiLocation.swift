public import HeliumJSON

/// A place that is not in the database (§4.4).
///
/// Its type is `net.app.ohai.location` (§4).
public struct OhaiLocation: Hashable, Sendable {
    /// The place's id, the same at every visit: a UUID.
    public var id: String?

    /// The name.
    public var name: String?

    /// Street and number.
    public var address: String?

    /// More of the address.
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

    /// The country, two letters.
    public var countryCode: String?

    /// Degrees north.
    public var latitude: Double?

    /// Degrees east.
    public var longitude: Double?

    /// Whether it is in business.
    public var isOpen: Bool?

    /// The telephone number.
    public var telephone: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A place.
    public init(
        id: String? = nil,
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
        extra: JSONObject = [:]
    ) {
        self.id = id
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
        self.extra = extra
    }
}

extension OhaiLocation: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
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
    }
}

extension OhaiLocation: Codable, JSONReadable {
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

extension OhaiLocation: AnnotationValue {
    /// `net.app.ohai.location`.
    public static let annotationType = "net.app.ohai.location"
}
