public import Foundation
public import HeliumJSON

/// A message of a channel (§3.1). To send one, only what is to be sent is set.
public struct Message: Hashable, Sendable {
    /// A message's id.
    public typealias ID = AppNetID<Message>

    /// The id.
    public var id: ID?

    /// The channel it is in.
    public var channelID: AppNetChannel.ID?

    /// The message that its thread starts with: itself, if it starts one.
    public var threadID: ID?

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

    /// The text; `nil` when the message is deleted or machine only. At most 2048 code points.
    public var text: String?

    /// The text as HTML, made by the server.
    public var html: String?

    /// The mentions, hashtags and links in the text.
    public var entities: Entities?

    /// The app that it was written with.
    public var source: ClientSource?

    /// The message that it answers.
    public var replyTo: ID?

    /// How many answer it (`num_replies`).
    public var replyCount: Int?

    /// The annotations, where they were asked for.
    public var annotations: [Annotation]?

    /// Whether it is deleted: only there when it is.
    public var isDeleted: Bool?

    /// Whether it has no text, and annotations only (`machine_only`).
    public var isMachineOnly: Bool?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// Whom a private message is for: ids or `@names`. Only sent.
    public var destinations: [AppNetUser.ID]?

    /// Whether it is pinned to its channel (pnut).
    public var isSticky: Bool?

    /// Whether it is not for everybody's eyes (pnut).
    public var isNSFW: Bool?

    /// Who deleted it, if not its writer (pnut).
    public var deletedBy: AppNetUser.ID?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A message of these members.
    public init(
        id: ID? = nil,
        channelID: AppNetChannel.ID? = nil,
        threadID: ID? = nil,
        user: AppNetUser? = nil,
        userID: AppNetUser.ID? = nil,
        createdAt: Date? = nil,
        text: String? = nil,
        html: String? = nil,
        entities: Entities? = nil,
        source: ClientSource? = nil,
        replyTo: ID? = nil,
        replyCount: Int? = nil,
        annotations: [Annotation]? = nil,
        isDeleted: Bool? = nil,
        isMachineOnly: Bool? = nil,
        paginationID: String? = nil,
        destinations: [AppNetUser.ID]? = nil,
        isSticky: Bool? = nil,
        isNSFW: Bool? = nil,
        deletedBy: AppNetUser.ID? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.channelID = channelID
        self.threadID = threadID
        self.user = user
        self.userID = userID
        self.createdAt = createdAt
        self.text = text
        self.html = html
        self.entities = entities
        self.source = source
        self.replyTo = replyTo
        self.replyCount = replyCount
        self.annotations = annotations
        self.isDeleted = isDeleted
        self.isMachineOnly = isMachineOnly
        self.paginationID = paginationID
        self.destinations = destinations
        self.isSticky = isSticky
        self.isNSFW = isNSFW
        self.deletedBy = deletedBy
        self.extra = extra
    }
}

extension Message: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("channel_id", &channelID)
        try visitor.member("thread_id", &threadID)
        try visitor.box("user", &boxedUser)
        try visitor.member("user_id", &userID)
        try visitor.member("created_at", &createdAt)
        try visitor.member("text", &text, sent: .always, pnut: .inside("content"))
        try visitor.member("html", &html, pnut: .inside("content"))
        try visitor.value("entities", &entities, sent: .always, pnut: .inside("content"))
        try visitor.value("source", &source)
        try visitor.member("reply_to", &replyTo, sent: .always)
        try visitor.member("num_replies", &replyCount, pnut: .inside("counts", as: "replies"))
        try visitor.value("annotations", &annotations, sent: .always)
        try visitor.member("is_deleted", &isDeleted)
        try visitor.member("machine_only", &isMachineOnly, sent: .always, pnut: .unsettable(reason: "a text is needed"))
        try visitor.member("pagination_id", &paginationID)
        try visitor.list("destinations", &destinations, sent: .always)
        try visitor.member("is_sticky", &isSticky)
        try visitor.member("is_nsfw", &isNSFW, sent: .always)
        try visitor.member("deleted_by", &deletedBy)
    }

    package static var pnutDifferences: [PnutStep] {
        PnutStep.templates(of: "{message_id}")
    }
}

extension Message: Codable, JSONReadable {
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
