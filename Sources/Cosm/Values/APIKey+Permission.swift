public import HeliumJSON

extension APIKey {
    /// A permission of a key (Docs/Protocols/Cosm.md §7).
    public struct Permission: Hashable, Sendable {
        /// The methods that are allowed. At least one is required.
        public var accessMethods: [AccessMethod]?

        /// The name of the permission.
        public var label: String?

        /// The `Referer` that requests must have; `nil` for any.
        public var referer: String?

        /// The IP address that requests must come from; `nil` for any.
        public var sourceIP: String?

        /// Whether the permission includes the owner's private feeds. Only XML documents state it here; in JSON it
        /// belongs to the key (Docs/Protocols/Cosm.md §13).
        public var hasPrivateAccess: Bool?

        /// The finest resolution of history that may be read, in seconds.
        public var minimumInterval: Int?

        /// The resources that the permission is limited to; `nil` or an empty array for the whole account.
        public var resources: [Resource]?

        /// The unknown members of the document. They are encoded unless a property has the same name.
        public var extra = JSONObject()

        /// Creates a permission.
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

    /// A resource that a permission is limited to.
    public struct Resource: Hashable, Sendable {
        /// The id of the feed.
        public var feedID: Feed.ID?

        /// The id of the datastream. It requires ``feedID``.
        public var datastreamID: String?

        /// The id of the datastream's trigger.
        public var triggerID: Trigger.ID?

        /// The unknown members of the document. They are encoded unless a property has the same name.
        public var extra = JSONObject()

        /// Creates a resource.
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

    /// A method that a key may use.
    public struct AccessMethod: OpenName {
        /// The name, in lower case.
        public let rawValue: String

        /// Creates a method from its name in any case.
        public init(rawValue: String) { self.rawValue = rawValue.lowercased() }
    }
}

extension APIKey.AccessMethod {
    /// Reads resources.
    public static let get = Self(rawValue: "get")
    /// Updates resources.
    public static let put = Self(rawValue: "put")
    /// Creates resources.
    public static let post = Self(rawValue: "post")
    /// Deletes resources.
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

extension APIKey.Permission: Codable, JSONReadable {}

extension APIKey.Resource: Codable, JSONReadable {}
