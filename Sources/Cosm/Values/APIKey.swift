public import HeliumCore
public import HeliumJSON

/// An API key with its permissions (Docs/Protocols/Cosm.md §7). Its descriptions do not show the key.
public struct APIKey: Hashable, Sendable {
    /// The type of the ids that old documents of keys have.
    public typealias ID = CosmID<APIKey>

    /// The key itself (`api_key`). It is also the id in URLs.
    public var key: Secret?

    /// The id in old documents. No server needs it.
    public var id: ID?

    /// The name of the key. Creating a key requires it.
    public var label: String?

    /// The owner's login.
    public var user: String?

    /// The time when the key expires.
    public var expiresAt: RecordedTime?

    /// Whether the key can see its owner's private feeds. `nil` means no.
    public var hasPrivateAccess: Bool?

    /// The permissions. Creating a key requires at least one.
    public var permissions: [Permission]?

    /// The unknown members of the document. They are encoded unless a property has the same name.
    public var extra = JSONObject()

    /// Creates a key.
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

extension APIKey: Codable, JSONReadable {}
