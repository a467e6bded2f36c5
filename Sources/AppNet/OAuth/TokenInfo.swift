public import HeliumJSON

/// What a token is worth (§3.5). The token itself is not in it.
public struct TokenInfo: Hashable, Sendable {
    /// What it permits.
    public var scopes: [AuthScope]?

    /// The app that it was given to.
    public var app: ClientSource?

    /// The app's client id.
    public var clientID: String?

    /// Whose it is; `nil` for an app's token.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// What the user may have.
    public var limits: Limits?

    /// How much room there is for files.
    public var storage: Storage?

    /// Where the user invites others.
    public var inviteLink: WebAddress?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// The user's address (pnut, with the scope).
    public var email: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A description of these members.
    public init(
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

extension TokenInfo: Codable, JSONReadable {
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

extension TokenInfo {
    /// What a user may have.
    public struct Limits: Hashable, Sendable {
        /// How many users to follow.
        public var following: Int?

        /// The size of a file in bytes.
        public var maximumFileSize: Int?

        /// How many can be invited.
        public var availableInvites: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// Limits.
        public init(
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

extension TokenInfo.Limits: Codable, JSONReadable {
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

extension TokenInfo {
    /// How much room a user has for files, in bytes.
    public struct Storage: Hashable, Sendable {
        /// What is left.
        public var available: Int?

        /// What is taken.
        public var used: Int?

        /// All of it (pnut).
        public var total: Int?

        /// Members of the document that have no property here. They are written back where no property has their name.
        public var extra = JSONObject()

        /// Room.
        public init(
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

extension TokenInfo.Storage: Codable, JSONReadable {
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
