public import Foundation
public import HeliumJSON

/// A user (Docs/Protocols/AppNet.md §3.3).
public struct AppNetUser: Hashable, Sendable {
    /// A user's id, or an `@name` where the service accepts one.
    public typealias ID = AppNetID<AppNetUser>

    /// The id.
    public var id: ID?

    /// The user name: at most 20 letters a–z, digits 0–9 and `_`. Letter case is ignored.
    public var username: String?

    /// The display name, at most 50 code points.
    public var name: String?

    /// The profile text (`description`); `nil` for an empty profile.
    public var description: Description?

    /// The time zone, such as `America/Los_Angeles`.
    public var timezone: String?

    /// The language and country, such as `en_US`.
    public var locale: String?

    /// The avatar.
    public var avatarImage: UserImage?

    /// The cover image of the profile.
    public var coverImage: UserImage?

    /// The kind of user, such as a person.
    public var type: Kind?

    /// The creation date of the account.
    public var createdAt: Date?

    /// The counts of the user.
    public var counts: Counts?

    /// Whether the user follows the token's user. This and the following properties are `nil` without a user token, and
    /// for the token's user.
    public var followsYou: Bool?

    /// Whether the token's user follows the user.
    public var youFollow: Bool?

    /// Whether the token's user has muted the user.
    public var youMuted: Bool?

    /// Whether the token's user has blocked the user.
    public var youBlocked: Bool?

    /// Whether the token's user may follow the user.
    public var youCanFollow: Bool?

    /// Whether the token's user may subscribe the user to channels.
    public var youCanSubscribe: Bool?

    /// The verified domain of the user.
    public var verifiedDomain: String?

    /// The URL of the page that verifies the domain (pnut.io only, `verified.url`).
    public var verifiedURL: WebAddress?

    /// The URL of the user's page.
    public var canonicalURL: WebAddress?

    /// The annotations; `nil` if the request did not ask for them.
    public var annotations: [Annotation]?

    /// The old form of `followsYou`.
    public var isFollower: Bool?

    /// The old form of `youFollow`.
    public var isFollowing: Bool?

    /// The old form of `youMuted`.
    public var isMuted: Bool?

    /// The position of the item in its list (`pagination_id`). Use the metadata of the response for paging instead
    /// (Docs/Protocols/AppNet.md §1.6).
    public var paginationID: String?

    /// The badge (pnut.io only).
    public var badge: Badge?

    /// The user's presence, such as `working` or a time (pnut.io only).
    public var presence: String?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a user with these members.
    public init(
        id: ID? = nil,
        username: String? = nil,
        name: String? = nil,
        description: Description? = nil,
        timezone: String? = nil,
        locale: String? = nil,
        avatarImage: UserImage? = nil,
        coverImage: UserImage? = nil,
        type: Kind? = nil,
        createdAt: Date? = nil,
        counts: Counts? = nil,
        followsYou: Bool? = nil,
        youFollow: Bool? = nil,
        youMuted: Bool? = nil,
        youBlocked: Bool? = nil,
        youCanFollow: Bool? = nil,
        youCanSubscribe: Bool? = nil,
        verifiedDomain: String? = nil,
        verifiedURL: WebAddress? = nil,
        canonicalURL: WebAddress? = nil,
        annotations: [Annotation]? = nil,
        isFollower: Bool? = nil,
        isFollowing: Bool? = nil,
        isMuted: Bool? = nil,
        paginationID: String? = nil,
        badge: Badge? = nil,
        presence: String? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.username = username
        self.name = name
        self.description = description
        self.timezone = timezone
        self.locale = locale
        self.avatarImage = avatarImage
        self.coverImage = coverImage
        self.type = type
        self.createdAt = createdAt
        self.counts = counts
        self.followsYou = followsYou
        self.youFollow = youFollow
        self.youMuted = youMuted
        self.youBlocked = youBlocked
        self.youCanFollow = youCanFollow
        self.youCanSubscribe = youCanSubscribe
        self.verifiedDomain = verifiedDomain
        self.verifiedURL = verifiedURL
        self.canonicalURL = canonicalURL
        self.annotations = annotations
        self.isFollower = isFollower
        self.isFollowing = isFollowing
        self.isMuted = isMuted
        self.paginationID = paginationID
        self.badge = badge
        self.presence = presence
        self.extra = extra
    }
}

extension AppNetUser: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("username", &username)
        try visitor.member("name", &name, sent: .always)
        try visitor.value("description", &description, sent: .inPart, pnut: .named("content"))
        try visitor.member("timezone", &timezone, sent: .always)
        try visitor.member("locale", &locale, sent: .always)
        try visitor.value("avatar_image", &avatarImage, pnut: .inside("content"))
        try visitor.value("cover_image", &coverImage, pnut: .inside("content"))
        try visitor.member("type", &type)
        try visitor.member("created_at", &createdAt)
        try visitor.value("counts", &counts)
        try visitor.member("follows_you", &followsYou)
        try visitor.member("you_follow", &youFollow)
        try visitor.member("you_muted", &youMuted)
        try visitor.member("you_blocked", &youBlocked)
        try visitor.member("you_can_follow", &youCanFollow)
        try visitor.member("you_can_subscribe", &youCanSubscribe, pnut: .missing)
        try visitor.member("verified_domain", &verifiedDomain, pnut: .inside("verified", as: "domain"))
        try visitor.member("verified_url", &verifiedURL, pnut: .inside("verified", as: "url"))
        try visitor.member("canonical_url", &canonicalURL, pnut: .missing)
        try visitor.value("annotations", &annotations, sent: .always)
        try visitor.member("is_follower", &isFollower, pnut: .missing)
        try visitor.member("is_following", &isFollowing, pnut: .missing)
        try visitor.member("is_muted", &isMuted, pnut: .missing)
        try visitor.member("pagination_id", &paginationID)
        try visitor.value("badge", &badge)
        try visitor.member("presence", &presence)
    }
}

extension AppNetUser: Codable, JSONReadable {}
