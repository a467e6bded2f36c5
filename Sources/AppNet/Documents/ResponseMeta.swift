public import Foundation
public import HeliumJSON

/// What an answer, or an event of a stream, says besides its data (§1.5).
public struct ResponseMeta: Hashable, Sendable {
    /// The HTTP status.
    public var code: Int?

    /// What went wrong.
    public var errorMessage: String?

    /// The failure's id, for support.
    public var errorID: String?

    /// The failure's name, of those with a known cause: `invalid-token`.
    public var errorSlug: String?

    /// Whether a list goes on in the direction of travel.
    public var more: Bool?

    /// The pagination id of the last item.
    public var minID: String?

    /// The pagination id of the first item.
    public var maxID: String?

    /// How far the list was read.
    public var marker: StreamMarker?

    /// Unread channels by their types.
    public var unreadCounts: [String: Int]?

    /// How many were found.
    public var count: Int?

    /// The explore stream that the list is of.
    public var exploreStream: ExploreStream?

    /// The user stream's connection.
    public var connectionID: String?

    /// The subscription that the call made.
    public var subscriptionID: String?

    /// The subscriptions that an event is for.
    public var subscriptionIDs: [String]?

    /// What an event is of: `message`.
    public var type: String?

    /// When an event was, as it came; ``date`` reads it.
    public var timestamp: Double?

    /// Whether the event is of a deletion, or of the opposite of its type.
    public var isDeleted: Bool?

    /// What was deleted.
    public var deletedID: String?

    /// The id of the event's object.
    public var id: String?

    /// The channel that an event is of.
    public var channelID: AppNetChannel.ID?

    /// The type of that channel.
    public var channelType: AppNetChannel.Kind?

    /// The name of that channel (pnut).
    public var channelName: String?

    /// Who is subscribed to that channel.
    public var subscribedUserIDs: [AppNetUser.ID]?

    /// Whom not to notify.
    public var suppressNotifications: [AppNetUser.ID]?

    /// Whether to notify nobody.
    public var suppressNotificationsAll: Bool?

    /// Whom the event is of.
    public var userID: AppNetUser.ID?

    /// After how many seconds to try again (pnut).
    public var retryIn: Int?

    /// Where to ask how a long deed goes on (pnut).
    public var statusURL: WebAddress?

    /// Which revision of a post it is (pnut).
    public var revision: Int?

    /// Members of the document that have no property here. They are written back where no property has their name.
    public var extra = JSONObject()

    /// Meta data of these members.
    public init(
        code: Int? = nil,
        errorMessage: String? = nil,
        errorID: String? = nil,
        errorSlug: String? = nil,
        more: Bool? = nil,
        minID: String? = nil,
        maxID: String? = nil,
        marker: StreamMarker? = nil,
        unreadCounts: [String: Int]? = nil,
        count: Int? = nil,
        exploreStream: ExploreStream? = nil,
        connectionID: String? = nil,
        subscriptionID: String? = nil,
        subscriptionIDs: [String]? = nil,
        type: String? = nil,
        timestamp: Double? = nil,
        isDeleted: Bool? = nil,
        deletedID: String? = nil,
        id: String? = nil,
        channelID: AppNetChannel.ID? = nil,
        channelType: AppNetChannel.Kind? = nil,
        channelName: String? = nil,
        subscribedUserIDs: [AppNetUser.ID]? = nil,
        suppressNotifications: [AppNetUser.ID]? = nil,
        suppressNotificationsAll: Bool? = nil,
        userID: AppNetUser.ID? = nil,
        retryIn: Int? = nil,
        statusURL: WebAddress? = nil,
        revision: Int? = nil,
        extra: JSONObject = [:]
    ) {
        self.code = code
        self.errorMessage = errorMessage
        self.errorID = errorID
        self.errorSlug = errorSlug
        self.more = more
        self.minID = minID
        self.maxID = maxID
        self.marker = marker
        self.unreadCounts = unreadCounts
        self.count = count
        self.exploreStream = exploreStream
        self.connectionID = connectionID
        self.subscriptionID = subscriptionID
        self.subscriptionIDs = subscriptionIDs
        self.type = type
        self.timestamp = timestamp
        self.isDeleted = isDeleted
        self.deletedID = deletedID
        self.id = id
        self.channelID = channelID
        self.channelType = channelType
        self.channelName = channelName
        self.subscribedUserIDs = subscribedUserIDs
        self.suppressNotifications = suppressNotifications
        self.suppressNotificationsAll = suppressNotificationsAll
        self.userID = userID
        self.retryIn = retryIn
        self.statusURL = statusURL
        self.revision = revision
        self.extra = extra
    }
}

extension ResponseMeta: AppNetRecord {
    package init() { self.init(code: nil) }

    package mutating func visit<Visitor: MemberVisitor>(_ visitor: inout Visitor) throws {
        try visitor.member("code", &code)
        try visitor.member("error_message", &errorMessage)
        try visitor.member("error_id", &errorID)
        try visitor.member("error_slug", &errorSlug)
        try visitor.member("more", &more)
        try visitor.member("min_id", &minID)
        try visitor.member("max_id", &maxID)
        try visitor.value("marker", &marker)
        try visitor.map("unread_counts", &unreadCounts)
        try visitor.member("count", &count)
        try visitor.value("explore_stream", &exploreStream)
        try visitor.member("connection_id", &connectionID)
        try visitor.member("subscription_id", &subscriptionID)
        try visitor.list("subscription_ids", &subscriptionIDs)
        try visitor.member("type", &type)
        try visitor.member("timestamp", &timestamp)
        try visitor.member("is_deleted", &isDeleted)
        try visitor.member("deleted_id", &deletedID)
        try visitor.member("id", &id)
        try visitor.member("channel_id", &channelID)
        try visitor.member("channel_type", &channelType)
        try visitor.member("channel_name", &channelName)
        try visitor.list("subscribed_user_ids", &subscribedUserIDs)
        try visitor.list("suppress_notifications", &suppressNotifications)
        try visitor.member("suppress_notifications_all", &suppressNotificationsAll)
        try visitor.member("user_id", &userID)
        try visitor.member("retry_in", &retryIn)
        try visitor.member("status_url", &statusURL)
        try visitor.member("revision", &revision)
    }
}

extension ResponseMeta: Codable, JSONReadable {
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

extension ResponseMeta {
    /// When an event was; `nil` if it doesn't say (§2.13). `timestamp` is in milliseconds, if it is above 10¹¹, else in seconds.
    public var date: Date? {
        guard let timestamp, timestamp.isFinite else { return nil }
        return Date(timeIntervalSince1970: abs(timestamp) > 1e11 ? timestamp / 1000 : timestamp)
    }
}
