public import Foundation
public import HeliumJSON

/// What a user is doing (§6.2, pnut).
public struct Presence: Hashable, Sendable {
    /// The user.
    public var id: AppNetUser.ID?

    /// What the user is doing (`presence`).
    public var text: String?

    /// When the user was last there.
    public var lastSeenAt: Date?

    /// The user's name in `@name` (`username`).
    public var username: String?

    /// The name that the user is shown with.
    public var name: String?

    /// The address of the user's avatar (`avatar_image`).
    public var avatarURL: WebAddress?

    /// The user, where it was asked for.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A presence of these members.
    public init(
        id: AppNetUser.ID? = nil,
        text: String? = nil,
        lastSeenAt: Date? = nil,
        username: String? = nil,
        name: String? = nil,
        avatarURL: WebAddress? = nil,
        user: AppNetUser? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.text = text
        self.lastSeenAt = lastSeenAt
        self.username = username
        self.name = name
        self.avatarURL = avatarURL
        self.user = user
        self.extra = extra
    }
}

extension Presence: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("presence", &text)
        try visitor.member("last_seen_at", &lastSeenAt)
        try visitor.member("username", &username)
        try visitor.member("name", &name)
        try visitor.member("avatar_image", &avatarURL)
        try visitor.box("user", &boxedUser)
    }
}

extension Presence: Codable, JSONReadable {
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
