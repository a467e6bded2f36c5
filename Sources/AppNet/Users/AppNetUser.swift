public import Foundation
public import HeliumJSON

/// A user (§3.3).
public struct AppNetUser: Hashable, Sendable {
    /// A user's id, or `@name` where the service takes one.
    public typealias ID = AppNetID<AppNetUser>

    /// The id.
    public var id: ID?

    /// The name to mention: at most 20 of a–z, 0–9 and `_`, letter case does not count.
    public var username: String?

    /// The name to show, at most 50 code points.
    public var name: String?

    /// What the user says of himself (`description`); `nil` for an empty profile.
    public var description: Description?

    /// The time zone: `America/Los_Angeles`.
    public var timezone: String?

    /// The language and country: `en_US`.
    public var locale: String?

    /// The portrait.
    public var avatarImage: UserImage?

    /// The image of the profile's head.
    public var coverImage: UserImage?

    /// Whether it is a person.
    public var type: Kind?

    /// When the account was made.
    public var createdAt: Date?

    /// How much there is of the user.
    public var counts: Counts?

    /// Whether the user follows you; like the next ones `nil` without a user's token, and on yourself.
    public var followsYou: Bool?

    /// Whether you follow the user.
    public var youFollow: Bool?

    /// Whether you have muted the user.
    public var youMuted: Bool?

    /// Whether you have blocked the user.
    public var youBlocked: Bool?

    /// Whether you may follow the user.
    public var youCanFollow: Bool?

    /// Whether you may subscribe the user to channels.
    public var youCanSubscribe: Bool?

    /// A domain that is proved to be the user's.
    public var verifiedDomain: String?

    /// The page that proves it (pnut: `verified.url`).
    public var verifiedURL: WebAddress?

    /// The user's page.
    public var canonicalURL: WebAddress?

    /// The annotations, where they were asked for.
    public var annotations: [Annotation]?

    /// Old for `followsYou`.
    public var isFollower: Bool?

    /// Old for `youFollow`.
    public var isFollowing: Bool?

    /// Old for `youMuted`.
    public var isMuted: Bool?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// A mark of honour (pnut).
    public var badge: Badge?

    /// What the user is doing (pnut): `working`, or a time.
    public var presence: String?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A user of these members.
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

extension AppNetUser: Codable, JSONReadable {
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
