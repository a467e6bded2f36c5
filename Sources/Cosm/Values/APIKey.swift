public import HeliumCore
public import HeliumJSON

/// An API key with what it permits (§7). Its descriptions don't show the key.
public struct APIKey: Hashable, Sendable {
    /// The id that old documents have.
    public typealias ID = CosmID<APIKey>

    /// The key itself (`api_key`), which is also its id in URLs.
    public var key: Secret?

    /// The id of old documents. No server needs it.
    public var id: ID?

    /// The key's name; needed to create one.
    public var label: String?

    /// The owner's login.
    public var user: String?

    /// When it ends to be valid.
    public var expiresAt: RecordedTime?

    /// Whether it sees its owner's private feeds. `nil` is no.
    public var hasPrivateAccess: Bool?

    /// What it permits, at least one thing; needed to create a key.
    public var permissions: [Permission]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A key of these members.
    public init(
        key: Secret? = nil,
        id: ID? = nil,
        label: String? = nil,
        user: String? = nil,
        expiresAt: RecordedTime? = nil,
        hasPrivateAccess: Bool? = nil,
        permissions: [Permission]? = nil,
        extra: JSONObject = [:]
    ) {
        self.key = key
        self.id = id
        self.label = label
        self.user = user
        self.expiresAt = expiresAt
        self.hasPrivateAccess = hasPrivateAccess
        self.permissions = permissions
        self.extra = extra
    }
}

extension APIKey: CosmRecord {
    init() { self.init(key: nil) }

    static func members<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure)
    where Visitor.Record == Self {
        try visitor.member("id", \.id, .serviceAtCreation)
        try visitor.member("api_key", \.key.text, .serviceAtCreation)
        try visitor.alias("key", \.key.text)
        try visitor.member("expires_at", \.expiresAt, .client)
        try visitor.member("user", \.user, .service)
        try visitor.member("label", \.label, .client)
        try visitor.member("private_access", \.hasPrivateAccess, .client)
        try visitor.records("permissions", of: "permission", \.permissions, .client)
    }
}

extension APIKey: Codable, JSONReadable {
    /// Reads a key by the leniency table of §10.
    public init(from decoder: any Decoder) throws { self = try Self(membersFrom: decoder) }

    /// Reads a key by the leniency table of §10.
    public init(json: borrowing JSONReader) throws { self = try Self(members: json) }

    /// Writes the members that are there, the key itself too.
    public func encode(to encoder: any Encoder) throws { try encode(membersTo: encoder) }
}
