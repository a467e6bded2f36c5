public import HeliumJSON

/// A trigger: a URL to which the service sends a POST request when a datastream meets a condition
/// (Docs/Protocols/Cosm.md §8).
public struct Trigger: Hashable, Sendable {
    /// The type of a trigger's id.
    public typealias ID = CosmID<Trigger>

    /// The id. The server sets it.
    public var id: ID?

    /// The id of the feed (`environment_id`).
    public var feedID: Feed.ID?

    /// The id of the datastream (`stream_id`).
    public var datastreamID: String?

    /// The URL that notifications are sent to.
    public var url: String?

    /// The condition (`trigger_type`).
    public var condition: Condition?

    /// The value that updates are compared with (`threshold_value`). The conditions `change`, `frozen` and `live`
    /// ignore it.
    public var threshold: DatapointValue?

    /// The time when the trigger last fired; `nil` if it has not fired.
    public var notifiedAt: RecordedTime?

    /// The owner's login.
    public var user: String?

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a trigger.
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
    /// The condition of a trigger.
    public struct Condition: OpenName {
        /// The name.
        public let rawValue: String

        /// Creates a condition from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

extension Trigger.Condition {
    /// The value is greater than the threshold (`gt`).
    public static let greater = Self(rawValue: "gt")
    /// The value is greater than or equal to the threshold (`gte`).
    public static let greaterOrEqual = Self(rawValue: "gte")
    /// The value is less than the threshold (`lt`).
    public static let less = Self(rawValue: "lt")
    /// The value is less than or equal to the threshold (`lte`).
    public static let lessOrEqual = Self(rawValue: "lte")
    /// The value is equal to the threshold (`eq`).
    public static let equal = Self(rawValue: "eq")
    /// The text of the value differs from the previous one.
    public static let change = Self(rawValue: "change")
    /// There was no update for 15 minutes.
    public static let frozen = Self(rawValue: "frozen")
    /// The first update after the datastream was frozen.
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

extension Trigger: Codable, JSONReadable {}
