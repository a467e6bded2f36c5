public import HeliumJSON

/// A filter of app streams (§2.11).
public struct StreamFilter: Hashable, Sendable {
    /// A filter's id.
    public typealias ID = AppNetID<StreamFilter>

    /// The id.
    public var id: ID?

    /// The name.
    public var name: String?

    /// How the clauses are joined.
    public var matchPolicy: MatchPolicy?

    /// Whose it is.
    public var owner: AppNetUser? {
        get { boxedOwner?.value }
        set { boxedOwner = newValue.map { Box($0) } }
    }
    private var boxedOwner: Box<AppNetUser>?

    /// The conditions.
    public var clauses: [Clause]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A filter of these members.
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

extension StreamFilter: Codable, JSONReadable {
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

extension StreamFilter {
    /// A condition on what passes.
    public struct Clause: Hashable, Sendable {
        /// The type of events that it is for: `post`.
        public var objectType: String?

        /// A JSON Pointer into the event: `/data/entities/hashtags/*/name`. `*` is every element, `~2` a `*`.
        public var field: String?

        /// How the field is compared (`operator`).
        public var comparison: Comparison?

        /// What it is compared with: a text, number or list; `$authorized_userids` is a variable.
        public var value: JSONValue?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// A condition.
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

extension StreamFilter.Clause: Codable, JSONReadable {
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
