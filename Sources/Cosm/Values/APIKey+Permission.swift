public import HeliumJSON

extension APIKey {
    /// Something that a key permits (§7).
    public struct Permission: Hashable, Sendable {
        /// What may be done, at least one thing.
        public var accessMethods: [AccessMethod]?

        /// The permission's name.
        public var label: String?

        /// The `Referer` that requests must have.
        public var referer: String?

        /// The address that requests must come from.
        public var sourceIP: String?

        /// Whether it reaches the owner's private feeds; only XML documents say it here and not of the whole key (§13).
        public var hasPrivateAccess: Bool?

        /// The finest resolution of history that may be read, in seconds.
        public var minimumInterval: Int?

        /// What it may be done with; `nil` or none is the whole account.
        public var resources: [Resource]?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A permission of these members.
        public init(
            accessMethods: [AccessMethod]? = nil,
            label: String? = nil,
            referer: String? = nil,
            sourceIP: String? = nil,
            hasPrivateAccess: Bool? = nil,
            minimumInterval: Int? = nil,
            resources: [Resource]? = nil,
            extra: JSONObject = [:]
        ) {
            self.accessMethods = accessMethods
            self.label = label
            self.referer = referer
            self.sourceIP = sourceIP
            self.hasPrivateAccess = hasPrivateAccess
            self.minimumInterval = minimumInterval
            self.resources = resources
            self.extra = extra
        }
    }

    /// Something that a permission is limited to.
    public struct Resource: Hashable, Sendable {
        /// The feed.
        public var feedID: Feed.ID?

        /// The datastream; the feed has to be there too.
        public var datastreamID: String?

        /// The datastream's trigger.
        public var triggerID: Trigger.ID?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A resource of these members.
        public init(
            feedID: Feed.ID? = nil,
            datastreamID: String? = nil,
            triggerID: Trigger.ID? = nil,
            extra: JSONObject = [:]
        ) {
            self.feedID = feedID
            self.datastreamID = datastreamID
            self.triggerID = triggerID
            self.extra = extra
        }
    }

    /// What a key may do.
    public struct AccessMethod: OpenName {
        /// The name, in lower case.
        public let rawValue: String

        /// A method by its name, in whatever case.
        public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

        /// The name.
        public var description: String { rawValue }
    }
}

extension APIKey.AccessMethod {
    /// Read.
    public static let get = Self(rawValue: "get")
    /// Update.
    public static let put = Self(rawValue: "put")
    /// Create.
    public static let post = Self(rawValue: "post")
    /// Delete.
    public static let delete = Self(rawValue: "delete")
}

extension APIKey.Permission: CosmRecord {
    init() { self.init(label: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("label", \.label, .client)
        try visitor.member("referer", \.referer, .client)
        try visitor.member("source_ip", \.sourceIP, .client)
        try visitor.member("private_access", \.hasPrivateAccess, .client)
        try visitor.member("minimum_interval", \.minimumInterval, .client)
        try visitor.list("access_methods", of: "access_method", \.accessMethods, .client)
        try visitor.records("resources", of: "resource", \.resources, .client)
    }
}

extension APIKey.Resource: CosmRecord {
    init() { self.init(feedID: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("feed_id", \.feedID, .client)
        try visitor.member("datastream_id", \.datastreamID, .client)
        try visitor.member("datastream_trigger_id", \.triggerID, .client)
    }
}

extension APIKey.Permission: Codable, JSONReadable {
    /// Reads a permission by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a permission by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}

extension APIKey.Resource: Codable, JSONReadable {
    /// Reads a resource by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a resource by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
