public import HeliumJSON

/// An access control list: the users who have one right to a channel (Docs/Protocols/AppNet.md §2.1).
///
/// The list names everyone, every user of the service, or some users. The owner always has the right.
public struct ACL: Hashable, Sendable {
    /// Whether every user of the service has the right (`any_user`).
    public var includesAnyUser: Bool?

    /// Whether everyone has the right, signed in or not. Only valid for readers.
    public var isPublic: Bool?

    /// Whether the list can no longer be changed.
    public var isImmutable: Bool?

    /// The ids of the users who have the right. Requests may also contain `@names`. The owner is never listed.
    public var userIDs: [AppNetUser.ID]?

    /// Whether the token's user has the right, directly or through another list. Read only.
    public var includesYou: Bool?

    /// Some of the users, if the request asked for them (pnut.io only).
    public var users: [AppNetUser]?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a list with these members. ``ChannelAccess`` creates the combinations that the service accepts.
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

extension ACL: Codable, JSONReadable {}
