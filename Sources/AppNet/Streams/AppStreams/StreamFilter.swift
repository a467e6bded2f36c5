public import HeliumJSON

/// A filter for app streams (Docs/Protocols/AppNet.md §2.11).
public struct StreamFilter: Hashable, Sendable {
    /// A filter's id.
    public typealias ID = AppNetID<StreamFilter>

    /// The id.
    public var id: ID?

    /// The name.
    public var name: String?

    /// The rule that combines the clauses.
    public var matchPolicy: MatchPolicy?

    /// The owner.
    public var owner: AppNetUser? {
        get { boxedOwner?.value }
        set { boxedOwner = newValue.map { Box($0) } }
    }
    private var boxedOwner: Box<AppNetUser>?

    /// The clauses.
    public var clauses: [Clause]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a filter with these members.
    public init(
        id: ID? = nil,
        name: String? = nil,
        matchPolicy: MatchPolicy? = nil,
        owner: AppNetUser? = nil,
        clauses: [Clause]? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.name = name
        self.matchPolicy = matchPolicy
        self.owner = owner
        self.clauses = clauses
        self.extra = extra
    }
}

extension StreamFilter: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("name", &name, sent: .always)
        try visitor.member("match_policy", &matchPolicy, sent: .always)
        try visitor.box("owner", &boxedOwner)
        try visitor.value("clauses", &clauses, sent: .always)
    }
}

extension StreamFilter: Codable, JSONReadable {}

extension StreamFilter {
    /// A condition of a filter.
    public struct Clause: Hashable, Sendable {
        /// The type of the events to which it applies, such as `post`.
        public var objectType: String?

        /// A JSON Pointer into the event, such as `/data/entities/hashtags/*/name`. `*` matches every element, and `~2`
        /// is a literal `*`.
        public var field: String?

        /// The comparison (`operator`).
        public var comparison: Comparison?

        /// The value to compare with: a string, number or list. `$authorized_userids` is a variable.
        public var value: JSONValue?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a clause with these members.
        public init(
            objectType: String? = nil,
            field: String? = nil,
            comparison: Comparison? = nil,
            value: JSONValue? = nil,
            extra: JSONObject = [:]
        ) {
            self.objectType = objectType
            self.field = field
            self.comparison = comparison
            self.value = value
            self.extra = extra
        }
    }
}

extension StreamFilter.Clause: AppNetRecord {
    package init() { self.init(objectType: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("object_type", &objectType)
        try visitor.member("field", &field)
        try visitor.member("operator", &comparison)
        try visitor.value("value", &value)
    }
}

extension StreamFilter.Clause: Codable, JSONReadable {}
