public import HeliumJSON

/// A feed: what somebody measures in one place (§3, §10).
///
/// Every member may be missing. In an update, what is `nil` stays as it is at the server, and an empty text or array clears
/// it (§3.3).
public struct Feed: Hashable, Sendable {
    /// A feed's id.
    public typealias ID = CosmID<Feed>

    /// The service's id. Ignored by the server on input.
    public var id: ID?

    /// The title; needed to create a feed.
    public var title: String?

    /// What the feed is.
    public var description: String?

    /// A page about it.
    public var website: String?

    /// Whom to write to.
    public var email: String?

    /// The URL of a picture.
    public var icon: String?

    /// The feed's own tags; its datastreams have theirs.
    public var tags: [String]?

    /// Whether only keys with private access see the feed (`private`).
    public var isPrivate: Bool?

    /// The document's own URL (`feed`). Ignored by the server on input.
    public var feedURL: String?

    /// Where the service pulls the values of an automatic feed from (`auto_feed_url`). Ignored by the server on input.
    public var autoFeedURL: String?

    /// Whether the feed was written to in the last 15 minutes. Ignored by the server on input.
    public var status: Status?

    /// When the feed was last written to. Ignored by the server on input.
    public var updated: Timestamp?

    /// When the feed was created. Ignored by the server on input.
    public var created: Timestamp?

    /// The URL of its owner's page. Ignored by the server on input.
    public var creator: String?

    /// Its owner, if `show_user` asked for it. Ignored by the server on input.
    public var user: User?

    /// The document's version: `1.0.0`. Ignored by the server on input.
    public var version: String?

    /// Where it is.
    public var location: Location?

    /// Its datastreams; `nil` in summaries. An update changes and creates those named and leaves all others.
    public var datastreams: [Datastream]?

    /// Of a device's feed, its product (`product_id`). Ignored by the server on input.
    public var productID: String?

    /// Of a device's feed, its serial number (`device_serial`). Ignored by the server on input.
    public var deviceSerial: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A feed of these members.
    public init(
        id: ID? = nil,
        title: String? = nil,
        description: String? = nil,
        website: String? = nil,
        email: String? = nil,
        icon: String? = nil,
        tags: [String]? = nil,
        isPrivate: Bool? = nil,
        feedURL: String? = nil,
        autoFeedURL: String? = nil,
        status: Status? = nil,
        updated: Timestamp? = nil,
        created: Timestamp? = nil,
        creator: String? = nil,
        user: User? = nil,
        version: String? = nil,
        location: Location? = nil,
        datastreams: [Datastream]? = nil,
        productID: String? = nil,
        deviceSerial: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.website = website
        self.email = email
        self.icon = icon
        self.tags = tags
        self.isPrivate = isPrivate
        self.feedURL = feedURL
        self.autoFeedURL = autoFeedURL
        self.status = status
        self.updated = updated
        self.created = created
        self.creator = creator
        self.user = user
        self.version = version
        self.location = location
        self.datastreams = datastreams
        self.productID = productID
        self.deviceSerial = deviceSerial
        self.extra = extra
    }
}

extension Feed: CosmRecord {
    init() { self.init(id: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("id", \.id, .serviceAtCreation.xml(.attribute))
        try visitor.member("title", \.title, .client)
        try visitor.member("feed", \.feedURL, .service)
        try visitor.member("auto_feed_url", \.autoFeedURL, .service)
        try visitor.member("status", \.status, .service)
        try visitor.member("updated", \.updated, .service.xml(.attribute))
        try visitor.member("created", \.created, .service.xml(.attribute))
        try visitor.member("creator", \.creator, .service.xml(.attribute))
        try visitor.member("version", \.version, .service.xml(.absent))
        try visitor.member("description", \.description, .client)
        try visitor.member("icon", \.icon, .client)
        try visitor.member("website", \.website, .client)
        try visitor.member("email", \.email, .client)
        try visitor.member("product_id", \.productID, .service)
        try visitor.member("device_serial", \.deviceSerial, .service)
        try visitor.member("private", \.isPrivate, .client)
        try visitor.tags("tags", \.tags, .client)
        try visitor.record("location", \.location, .client)
        try visitor.record("user", \.user, .serviceOnRequest)
        try visitor.records("datastreams", of: "data", \.datastreams, .children.xml(.elements))
    }
}

extension Feed: Codable, JSONReadable {
    /// Reads a feed by the leniency table of §10; of a document of version 1 (`0.6-alpha`) by its rules too (§13).
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a feed by the leniency table of §10; of a document of version 1 (`0.6-alpha`) by its rules too (§13).
    ///
    /// - Throws: `DecodingError` with the path of a member that can't be read.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
