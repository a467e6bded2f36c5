public import HeliumJSON

/// A trigger: a URL that the service posts to when a datastream does something (§8).
public struct Trigger: Hashable, Sendable {
    /// A trigger's id.
    public typealias ID = CosmID<Trigger>

    /// The service's id.
    public var id: ID?

    /// The feed (`environment_id`).
    public var feedID: Feed.ID?

    /// The datastream (`stream_id`).
    public var datastreamID: String?

    /// Where the notifications go.
    public var url: String?

    /// What has to happen (`trigger_type`).
    public var condition: Condition?

    /// What values are compared with (`threshold_value`); without meaning for `change`, `frozen` and `live`.
    public var threshold: DatapointValue?

    /// When it last fired; `nil` if it never did.
    public var notifiedAt: RecordedTime?

    /// The owner's login.
    public var user: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A trigger of these members.
    public init(
        id: ID? = nil,
        feedID: Feed.ID? = nil,
        datastreamID: String? = nil,
        url: String? = nil,
        condition: Condition? = nil,
        threshold: DatapointValue? = nil,
        notifiedAt: RecordedTime? = nil,
        user: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.feedID = feedID
        self.datastreamID = datastreamID
        self.url = url
        self.condition = condition
        self.threshold = threshold
        self.notifiedAt = notifiedAt
        self.user = user
        self.extra = extra
    }
}

extension Trigger {
    /// What makes a trigger fire.
    public struct Condition: OpenName {
        /// The name.
        public let rawValue: String

        /// A condition by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name.
        public var description: String { rawValue }
    }
}

extension Trigger.Condition {
    /// The value is greater than the threshold (`gt`).
    public static let greater = Self(rawValue: "gt")
    /// The value is the threshold or greater (`gte`).
    public static let greaterOrEqual = Self(rawValue: "gte")
    /// The value is less than the threshold (`lt`).
    public static let less = Self(rawValue: "lt")
    /// The value is the threshold or less (`lte`).
    public static let lessOrEqual = Self(rawValue: "lte")
    /// The value is the threshold (`eq`).
    public static let equal = Self(rawValue: "eq")
    /// The value's text is another than before.
    public static let change = Self(rawValue: "change")
    /// No update came for 15 minutes.
    public static let frozen = Self(rawValue: "frozen")
    /// The first update after it was frozen.
    public static let live = Self(rawValue: "live")
}

extension Trigger: CosmRecord {
    init() { self.init(id: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("id", \.id, .serviceAtCreation.xml(.typedElement("integer")))
        try visitor.member("url", \.url, .client)
        try visitor.member("trigger_type", \.condition, .client)
        try visitor.member("threshold_value", \.threshold, .client.xml(.typedElement("float")))
        try visitor.member("notified_at", \.notifiedAt, .service.xml(.typedElement("datetime")))
        try visitor.member("user", \.user, .service)
        try visitor.member("environment_id", \.feedID, .client.xml(.typedElement("integer")))
        try visitor.member("stream_id", \.datastreamID, .client)
    }
}

extension Trigger: Codable, JSONReadable {
    /// Reads a trigger by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a trigger by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
