public import Foundation
public import HeliumJSON

/// A channel: its members, its access lists and the token user's relation to it (Docs/Protocols/AppNet.md §3.2).
public struct AppNetChannel: Hashable, Sendable {
    /// A channel's id.
    public typealias ID = AppNetID<AppNetChannel>

    /// The id.
    public var id: ID?

    /// The type, which defines the channel's purpose.
    public var type: Kind?

    /// The creator of the channel.
    public var owner: AppNetUser? {
        get { boxedOwner?.value }
        set { boxedOwner = newValue.map { Box($0) } }
    }
    private var boxedOwner: Box<AppNetUser>?

    /// The owner's id, if `owner` is missing (pnut.io only).
    public var userID: AppNetUser.ID?

    /// The number of messages and subscribers.
    public var counts: Counts?

    /// The users who may read.
    public var readers: ACL?

    /// The users who may write. They may also read.
    public var writers: ACL?

    /// The users who may change the channel. They may also write and read.
    public var editors: ACL?

    /// Whether the token's user is subscribed.
    public var youSubscribed: Bool?

    /// Whether the token's user has muted the channel.
    public var youMuted: Bool?

    /// Whether the token's user may change the channel. Deprecated by the service in favor of `editors.includesYou`.
    public var youCanEdit: Bool?

    /// Whether a message is newer than the token user's marker.
    public var hasUnread: Bool?

    /// Whether the channel is deactivated.
    public var isInactive: Bool?

    /// The id of the newest message. The message may be deleted, or its author may be muted.
    public var recentMessageID: Message.ID?

    /// The newest message; `nil` if the request did not ask for it.
    public var recentMessage: Message? {
        get { boxedRecentMessage?.value }
        set { boxedRecentMessage = newValue.map { Box($0) } }
    }
    private var boxedRecentMessage: Box<Message>?

    /// The reading position of the token's user; `nil` if the request did not ask for it.
    public var marker: StreamMarker?

    /// The annotations; `nil` if the request did not ask for them.
    public var annotations: [Annotation]?

    /// The position of the item in its list (`pagination_id`). Use the metadata of the response for paging instead
    /// (Docs/Protocols/AppNet.md §1.6).
    public var paginationID: String?

    /// Whether creating the channel also subscribes the users of its access lists. Only sent.
    public var autoSubscribe: Bool?

    /// The creation date (pnut.io only).
    public var createdAt: Date?

    /// Whether messages are pinned to the channel (pnut.io only).
    public var hasStickyMessages: Bool?

    /// The id of the newest deleted message (pnut.io only).
    public var recentDeletedMessageID: Message.ID?

    /// The newest deleted message; `nil` if the request did not ask for it (pnut.io only).
    public var recentDeletedMessage: Message? {
        get { boxedRecentDeletedMessage?.value }
        set { boxedRecentDeletedMessage = newValue.map { Box($0) } }
    }
    private var boxedRecentDeletedMessage: Box<Message>?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates a channel with these members.
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
            .typeName("type"), .unsettable("public", in: "writers", reason: "writers can't be public"),
            .unsettable("public", in: "editors", reason: "editors can't be public"),
            .unsettable("any_user", in: "editors", reason: "editors can't include any user"),
        ]
    }
}

extension AppNetChannel: Codable, JSONReadable {}
