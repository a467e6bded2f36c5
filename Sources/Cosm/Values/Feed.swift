public import HeliumCore
public import HeliumJSON

/// A feed: a collection of datastreams with a description (Docs/Protocols/Cosm.md §3, §10).
///
/// Every member is optional. In an update, members that are `nil` stay unchanged on the server, and an empty text or
/// array deletes the server's value (§3.3).
public struct Feed: Hashable, Sendable {
    /// The type of a feed's id.
    public typealias ID = CosmID<Feed>

    /// The id. Ignored by the server on input.
    public var id: ID?

    /// The title. Creating a feed requires it.
    public var title: String?

    /// The description.
    public var description: String?

    /// The URL of a page about the feed.
    public var website: String?

    /// The email address of a contact.
    public var email: String?

    /// The URL of an image.
    public var icon: String?

    /// The tags of the feed. Its datastreams have their own.
    public var tags: [String]?

    /// Whether only keys with private access can see the feed (`private`).
    public var isPrivate: Bool?

    /// The URL of the document (`feed`). Ignored by the server on input.
    public var feedURL: String?

    /// The URL that the service reads the values of an automatic feed from (`auto_feed_url`). Ignored by the server on
    /// input.
    public var autoFeedURL: String?

    /// The status: whether the feed was written to within the last 15 minutes. Ignored by the server on input.
    public var status: Status?

    /// The time of the last write. Ignored by the server on input.
    public var updated: Timestamp?

    /// The time of creation. Ignored by the server on input.
    public var created: Timestamp?

    /// The URL of the owner's page. Ignored by the server on input.
    public var creator: String?

    /// The owner, if the request had `show_user`. Ignored by the server on input.
    public var user: User?

    /// The version of the document: `1.0.0`. Ignored by the server on input.
    public var version: String?

    /// The location of the feed.
    public var location: Location?

    /// The datastreams; `nil` in summaries. An update changes or creates these datastreams and does not affect others.
    public var datastreams: [Datastream]?

    /// The product of a device's feed (`product_id`). Ignored by the server on input.
    public var productID: String?

    /// The serial number of a device's feed (`device_serial`). Ignored by the server on input.
    public var deviceSerial: String?

    /// The datastreams of the document that could not be read, for example because of an invalid timestamp. They are not among the
    /// ``datastreams``.
    ///
    /// A document in which none of the ``datastreams`` can be read and none has an id is an error. Sending a feed with
    /// such datastreams is an error too, because they would be lost. Send ``changes(since:)``.
    public var unreadable = UnreadableItems()

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a feed.
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

    static var leavesOutUnreadable: Bool { true }

    mutating func leaveOut(_ items: UnreadableItems) { unreadable.add(items) }

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

extension Feed: Codable, JSONReadable {}
