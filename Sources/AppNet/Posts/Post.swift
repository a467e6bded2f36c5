public import Foundation
public import HeliumJSON

/// A post (§3.5).
public struct Post: Hashable, Sendable {
    /// A post's id.
    public typealias ID = AppNetID<Post>

    /// The id.
    public var id: ID?

    /// Who wrote it; `nil` when the account is gone.
    public var user: AppNetUser? {
        get { boxedUser?.value }
        set { boxedUser = newValue.map { Box($0) } }
    }
    private var boxedUser: Box<AppNetUser>?

    /// Who wrote it, where `user` is missing (pnut).
    public var userID: AppNetUser.ID?

    /// When it was written.
    public var createdAt: Date?

    /// The text; `nil` when the post is deleted or machine only. At most 256 code points.
    public var text: String?

    /// The text as HTML, made by the server.
    public var html: String?

    /// The mentions, hashtags and links in the text.
    public var entities: Entities?

    /// The app that it was written with.
    public var source: ClientSource?

    /// The post that its thread starts with.
    public var threadID: ID?

    /// The post that it answers.
    public var replyTo: ID?

    /// The post's page.
    public var canonicalURL: WebAddress?

    /// How many answer it (`num_replies`).
    public var replyCount: Int?

    /// How many have starred it (`num_stars`).
    public var starCount: Int?

    /// How many have reposted it (`num_reposts`).
    public var repostCount: Int?

    /// How many threads start with it (pnut: `counts.threads`).
    public var threadCount: Int?

    /// Whether it has no text, and annotations only (`machine_only`).
    public var isMachineOnly: Bool?

    /// Whether it is deleted: only there when it is.
    public var isDeleted: Bool?

    /// Old for `isDeleted`.
    public var deleted: Bool?

    /// The annotations, where they were asked for.
    public var annotations: [Annotation]?

    /// Whether you have starred it.
    public var youStarred: Bool?

    /// Whether you have reposted it.
    public var youReposted: Bool?

    /// Some who have starred it, where they were asked for.
    public var starredBy: [AppNetUser]?

    /// Some who have reposted it, where they were asked for.
    public var reposters: [AppNetUser]?

    /// The post that this one repeats.
    public var repostOf: Post? {
        get { boxedRepostOf?.value }
        set { boxedRepostOf = newValue.map { Box($0) } }
    }
    private var boxedRepostOf: Box<Post>?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// Whether it is not for everybody's eyes (pnut).
    public var isNSFW: Bool?

    /// The note on the bookmark, in the list of the token's user (pnut).
    public var note: String?

    /// Whether it was changed (pnut).
    public var isRevised: Bool?

    /// Which revision it is (pnut).
    public var revision: Int?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A post of these members.
    public init(
        id: ID? = nil,
        user: AppNetUser? = nil,
        userID: AppNetUser.ID? = nil,
        createdAt: Date? = nil,
        text: String? = nil,
        html: String? = nil,
        entities: Entities? = nil,
        source: ClientSource? = nil,
        threadID: ID? = nil,
        replyTo: ID? = nil,
        canonicalURL: WebAddress? = nil,
        replyCount: Int? = nil,
        starCount: Int? = nil,
        repostCount: Int? = nil,
        threadCount: Int? = nil,
        isMachineOnly: Bool? = nil,
        isDeleted: Bool? = nil,
        deleted: Bool? = nil,
        annotations: [Annotation]? = nil,
        youStarred: Bool? = nil,
        youReposted: Bool? = nil,
        starredBy: [AppNetUser]? = nil,
        reposters: [AppNetUser]? = nil,
        repostOf: Post? = nil,
        paginationID: String? = nil,
        isNSFW: Bool? = nil,
        note: String? = nil,
        isRevised: Bool? = nil,
        revision: Int? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.user = user
        self.userID = userID
        self.createdAt = createdAt
        self.text = text
        self.html = html
        self.entities = entities
        self.source = source
        self.threadID = threadID
        self.replyTo = replyTo
        self.canonicalURL = canonicalURL
        self.replyCount = replyCount
        self.starCount = starCount
        self.repostCount = repostCount
        self.threadCount = threadCount
        self.isMachineOnly = isMachineOnly
        self.isDeleted = isDeleted
        self.deleted = deleted
        self.annotations = annotations
        self.youStarred = youStarred
        self.youReposted = youReposted
        self.starredBy = starredBy
        self.reposters = reposters
        self.repostOf = repostOf
        self.paginationID = paginationID
        self.isNSFW = isNSFW
        self.note = note
        self.isRevised = isRevised
        self.revision = revision
        self.extra = extra
    }
}

extension Post: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.box("user", &boxedUser)
        try visitor.member("user_id", &userID)
        try visitor.member("created_at", &createdAt)
        try visitor.member("text", &text, sent: .always, pnut: .inside("content"))
        try visitor.member("html", &html, pnut: .inside("content"))
        try visitor.value("entities", &entities, sent: .always, pnut: .inside("content"))
        try visitor.value("source", &source)
        try visitor.member("thread_id", &threadID)
        try visitor.member("reply_to", &replyTo, sent: .always)
        try visitor.member("canonical_url", &canonicalURL, pnut: .missing)
        try visitor.member("num_replies", &replyCount, pnut: .inside("counts", as: "replies"))
        try visitor.member("num_stars", &starCount, pnut: .inside("counts", as: "bookmarks"))
        try visitor.member("num_reposts", &repostCount, pnut: .inside("counts", as: "reposts"))
        try visitor.member("num_threads", &threadCount, pnut: .inside("counts", as: "threads"))
        try visitor.member("machine_only", &isMachineOnly, sent: .always, pnut: .unsettable(reason: "a text is needed"))
        try visitor.member("is_deleted", &isDeleted)
        try visitor.member("deleted", &deleted, pnut: .missing)
        try visitor.value("annotations", &annotations, sent: .always)
        try visitor.member("you_starred", &youStarred, pnut: .named("you_bookmarked"))
        try visitor.member("you_reposted", &youReposted)
        try visitor.value("starred_by", &starredBy, pnut: .named("bookmarked_by"))
        try visitor.value("reposters", &reposters, pnut: .named("reposted_by"))
        try visitor.box("repost_of", &boxedRepostOf)
        try visitor.member("pagination_id", &paginationID)
        try visitor.member("is_nsfw", &isNSFW, sent: .always)
        try visitor.member("note", &note)
        try visitor.member("is_revised", &isRevised)
        try visitor.member("revision", &revision)
    }

    package static var pnutDifferences: [PnutStep] {
        PnutStep.templates(of: "{post_id}")
    }
}

extension Post: Codable, JSONReadable {
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
