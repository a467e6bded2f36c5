public import Foundation
public import HeliumJSON

/// A user's presence; pnut.io only (Docs/Protocols/AppNet.md §6.2).
public struct Presence: Hashable, Sendable {
    /// The user's id.
    public var id: AppNetUser.ID?

    /// The presence as text (`presence`).
    public var text: String?

    /// The date at which the user was last seen.
    public var lastSeenAt: Date?

    /// The user name (`username`).
    public var username: String?

    /// The display name.
    public var name: String?

    /// The URL of the user's avatar (`avatar_image`).
    public var avatarURL: WebAddress?

    /// The user; `nil` if the request did not ask for it.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a presence with these members.
    package init(
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

extension Presence: Codable, JSONReadable {}
