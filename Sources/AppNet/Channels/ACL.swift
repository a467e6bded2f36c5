public import HeliumJSON

/// Who has a right to a channel (§2.1): everybody, every user, or some users; and always the owner.
public struct ACL: Hashable, Sendable {
    /// Whether every user has it (`any_user`).
    public var includesAnyUser: Bool?

    /// Whether everybody has it, signed in or not. Only for readers.
    public var isPublic: Bool?

    /// Whether it can't be changed any more.
    public var isImmutable: Bool?

    /// Who has it: ids; in requests also `@names`. The owner is never among them.
    public var userIDs: [AppNetUser.ID]?

    /// Whether you have it, by whichever list. Only read.
    public var includesYou: Bool?

    /// Some of the users, where they were asked for (pnut).
    public var users: [AppNetUser]?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A list of these members. ``ChannelAccess`` makes those that the service takes.
    public init(
        includesAnyUser: Bool? = nil,
        isPublic: Bool? = nil,
        isImmutable: Bool? = nil,
        userIDs: [AppNetUser.ID]? = nil,
        includesYou: Bool? = nil,
        users: [AppNetUser]? = nil,
        extra: JSONObject = [:]
    ) {
        self.includesAnyUser = includesAnyUser
        self.isPublic = isPublic
        self.isImmutable = isImmutable
        self.userIDs = userIDs
        self.includesYou = includesYou
        self.users = users
        self.extra = extra
    }
}

extension ACL: AppNetRecord {
    package init() { self.init(includesAnyUser: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("any_user", &includesAnyUser)
        try visitor.member("public", &isPublic)
        try visitor.member("immutable", &isImmutable)
        try visitor.list("user_ids", &userIDs)
        try visitor.member("you", &includesYou)
        try visitor.value("users", &users)
    }
}

extension ACL: Codable, JSONReadable {
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
