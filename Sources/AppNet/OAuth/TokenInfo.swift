public import HeliumJSON

/// The description of a token (Docs/Protocols/AppNet.md §3.5). It does not contain the token itself.
public struct TokenInfo: Hashable, Sendable {
    /// The granted scopes.
    public var scopes: [AuthScope]?

    /// The app to which it was granted.
    public var app: ClientSource?

    /// The app's client id.
    public var clientID: String?

    /// The user; `nil` for an app token.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// The user's limits.
    public var limits: Limits?

    /// The user's storage for files.
    public var storage: Storage?

    /// The URL of the page on which the user invites others.
    public var inviteLink: WebAddress?

    /// The position of the item in its list (`pagination_id`). Use the metadata of the response for paging instead
    /// (Docs/Protocols/AppNet.md §1.6).
    public var paginationID: String?

    /// The user's email address. pnut.io only, with the scope `email`.
    public var email: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a description with these members.
    package init(
        scopes: [AuthScope]? = nil,
        app: ClientSource? = nil,
        clientID: String? = nil,
        user: AppNetUser? = nil,
        limits: Limits? = nil,
        storage: Storage? = nil,
        inviteLink: WebAddress? = nil,
        paginationID: String? = nil,
        email: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.scopes = scopes
        self.app = app
        self.clientID = clientID
        self.user = user
        self.limits = limits
        self.storage = storage
        self.inviteLink = inviteLink
        self.paginationID = paginationID
        self.email = email
        self.extra = extra
    }
}

extension TokenInfo: AppNetRecord {
    package init() { self.init(scopes: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.list("scopes", &scopes)
        try visitor.value("app", &app)
        try visitor.member("client_id", &clientID)
        try visitor.box("user", &boxedUser)
        try visitor.value("limits", &limits)
        try visitor.value("storage", &storage)
        try visitor.member("invite_link", &inviteLink)
        try visitor.member("pagination_id", &paginationID)
        try visitor.member("email", &email)
    }
}

extension TokenInfo: Codable, JSONReadable {}

extension TokenInfo {
    /// The limits of a user.
    public struct Limits: Hashable, Sendable {
        /// The maximum number of followed users.
        public var following: Int?

        /// The maximum size of a file, in bytes.
        public var maximumFileSize: Int?

        /// The number of available invitations.
        public var availableInvites: Int?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates limits.
        package init(
            following: Int? = nil,
            maximumFileSize: Int? = nil,
            availableInvites: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.following = following
            self.maximumFileSize = maximumFileSize
            self.availableInvites = availableInvites
            self.extra = extra
        }
    }
}

extension TokenInfo.Limits: AppNetRecord {
    package init() { self.init(following: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("following", &following)
        try visitor.member("max_file_size", &maximumFileSize)
        try visitor.member("available_invites", &availableInvites)
    }
}

extension TokenInfo.Limits: Codable, JSONReadable {}

extension TokenInfo {
    /// The storage of a user for files, in bytes.
    public struct Storage: Hashable, Sendable {
        /// The free storage.
        public var available: Int?

        /// The used storage.
        public var used: Int?

        /// The total storage (pnut.io only).
        public var total: Int?

        /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
        /// properties.
        public var extra = JSONObject()

        /// Creates a value with these members.
        package init(
            available: Int? = nil,
            used: Int? = nil,
            total: Int? = nil,
            extra: JSONObject = [:]
        ) {
            self.available = available
            self.used = used
            self.total = total
            self.extra = extra
        }
    }
}

extension TokenInfo.Storage: AppNetRecord {
    package init() { self.init(available: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("available", &available)
        try visitor.member("used", &used)
        try visitor.member("total", &total)
    }
}

extension TokenInfo.Storage: Codable, JSONReadable {}
