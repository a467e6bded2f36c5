public import Foundation
public import HeliumJSON

/// A channel: who reads and writes it, and what you have to do with it (§3.2).
public struct AppNetChannel: Hashable, Sendable {
    /// A channel's id.
    public typealias ID = AppNetID<AppNetChannel>

    /// The id.
    public var id: ID?

    /// What the channel is for: a reverse domain name.
    public var type: Kind?

    /// Who created it.
    public var owner: AppNetUser? {
        get { boxedOwner?.value }
        set { boxedOwner = newValue.map { Box($0) } }
    }
    private var boxedOwner: Box<AppNetUser>?

    /// Who owns it, where `owner` is missing (pnut).
    public var userID: AppNetUser.ID?

    /// How much there is of it.
    public var counts: Counts?

    /// Who may read.
    public var readers: ACL?

    /// Who may write, and read.
    public var writers: ACL?

    /// Who may change the channel, write and read.
    public var editors: ACL?

    /// Whether you are subscribed.
    public var youSubscribed: Bool?

    /// Whether you have muted it.
    public var youMuted: Bool?

    /// Whether you may change it: old for `editors.includesYou`.
    public var youCanEdit: Bool?

    /// Whether a message is newer than your marker.
    public var hasUnread: Bool?

    /// Whether it is deactivated.
    public var isInactive: Bool?

    /// The newest message; it may be deleted, or of a user whom you muted.
    public var recentMessageID: Message.ID?

    /// The newest message, where it was asked for.
    public var recentMessage: Message? {
        get { boxedRecentMessage?.value }
        set { boxedRecentMessage = newValue.map { Box($0) } }
    }
    private var boxedRecentMessage: Box<Message>?

    /// How far you have read, where it was asked for.
    public var marker: StreamMarker?

    /// The annotations, where they were asked for.
    public var annotations: [Annotation]?

    /// The item's place in the list it came in (`pagination_id`); page by the meta data, not by this (§1.6).
    public var paginationID: String?

    /// Whether the users of the ACLs are subscribed at creation. Only sent.
    public var autoSubscribe: Bool?

    /// When it was created (pnut).
    public var createdAt: Date?

    /// Whether messages are pinned to it (pnut).
    public var hasStickyMessages: Bool?

    /// The newest deleted message (pnut).
    public var recentDeletedMessageID: Message.ID?

    /// The newest deleted message, where it was asked for (pnut).
    public var recentDeletedMessage: Message? {
        get { boxedRecentDeletedMessage?.value }
        set { boxedRecentDeletedMessage = newValue.map { Box($0) } }
    }
    private var boxedRecentDeletedMessage: Box<Message>?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// A channel of these members.
    public init(
        id: ID? = nil,
        type: Kind? = nil,
        owner: AppNetUser? = nil,
        userID: AppNetUser.ID? = nil,
        counts: Counts? = nil,
        readers: ACL? = nil,
        writers: ACL? = nil,
        editors: ACL? = nil,
        youSubscribed: Bool? = nil,
        youMuted: Bool? = nil,
        youCanEdit: Bool? = nil,
        hasUnread: Bool? = nil,
        isInactive: Bool? = nil,
        recentMessageID: Message.ID? = nil,
        recentMessage: Message? = nil,
        marker: StreamMarker? = nil,
        annotations: [Annotation]? = nil,
        paginationID: String? = nil,
        autoSubscribe: Bool? = nil,
        createdAt: Date? = nil,
        hasStickyMessages: Bool? = nil,
        recentDeletedMessageID: Message.ID? = nil,
        recentDeletedMessage: Message? = nil,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.type = type
        self.owner = owner
        self.userID = userID
        self.counts = counts
        self.readers = readers
        self.writers = writers
        self.editors = editors
        self.youSubscribed = youSubscribed
        self.youMuted = youMuted
        self.youCanEdit = youCanEdit
        self.hasUnread = hasUnread
        self.isInactive = isInactive
        self.recentMessageID = recentMessageID
        self.recentMessage = recentMessage
        self.marker = marker
        self.annotations = annotations
        self.paginationID = paginationID
        self.autoSubscribe = autoSubscribe
        self.createdAt = createdAt
        self.hasStickyMessages = hasStickyMessages
        self.recentDeletedMessageID = recentDeletedMessageID
        self.recentDeletedMessage = recentDeletedMessage
        self.extra = extra
    }
}

extension AppNetChannel: AppNetRecord {
    package init() { self.init(id: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("id", &id)
        try visitor.member("type", &type, sent: .onCreation)
        try visitor.box("owner", &boxedOwner, pnut: .named("user"))
        try visitor.member("user_id", &userID)
        try visitor.value("counts", &counts)
        try visitor.value("readers", &readers, sent: .always, pnut: .inside("acl", as: "read"))
        try visitor.value("writers", &writers, sent: .always, pnut: .inside("acl", as: "write"))
        try visitor.value("editors", &editors, sent: .always, pnut: .inside("acl", as: "full"))
        try visitor.member("you_subscribed", &youSubscribed)
        try visitor.member("you_muted", &youMuted)
        try visitor.member("you_can_edit", &youCanEdit, pnut: .missing)
        try visitor.member("has_unread", &hasUnread)
        try visitor.member("is_inactive", &isInactive, pnut: .inverted("is_active"))
        try visitor.member("recent_message_id", &recentMessageID)
        try visitor.box("recent_message", &boxedRecentMessage)
        try visitor.value("marker", &marker)
        try visitor.value("annotations", &annotations, sent: .always)
        try visitor.member("pagination_id", &paginationID)
        try visitor.member("auto_subscribe", &autoSubscribe, sent: .always)
        try visitor.member("created_at", &createdAt)
        try visitor.member("has_sticky_messages", &hasStickyMessages)
        try visitor.member("recent_deleted_message_id", &recentDeletedMessageID)
        try visitor.box("recent_deleted_message", &boxedRecentDeletedMessage)
    }

    package static var pnutDifferences: [PnutStep] {
        [
            .typeName("type"), .unsettable("public", in: "writers", reason: "writers can't be everybody"),
            .unsettable("public", in: "editors", reason: "editors can't be everybody"),
            .unsettable("any_user", in: "editors", reason: "editors can't be every user"),
        ]
    }
}

extension AppNetChannel: Codable, JSONReadable {
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
