public import Foundation
public import HeliumJSON

/// The metadata of a response or of a stream event (Docs/Protocols/AppNet.md §1.5).
public struct ResponseMeta: Hashable, Sendable {
    /// The HTTP status.
    public var code: Int?

    /// The error message.
    public var errorMessage: String?

    /// The id of the error, for the service's support.
    public var errorID: String?

    /// The name of a well-known error, such as `invalid-token`.
    public var errorSlug: String?

    /// Whether the list continues in the direction of travel.
    public var more: Bool?

    /// The pagination id of the last item.
    public var minID: String?

    /// The pagination id of the first item.
    public var maxID: String?

    /// The reading position in the list.
    public var marker: StreamMarker?

    /// The numbers of unread channels, by channel type.
    public var unreadCounts: [String: Int]?

    /// The number of results.
    public var count: Int?

    /// The explore stream to which the list belongs.
    public var exploreStream: ExploreStream?

    /// The id of the user stream's connection.
    public var connectionID: String?

    /// The subscription that the call created.
    public var subscriptionID: String?

    /// The subscriptions that an event is for.
    public var subscriptionIDs: [String]?

    /// The type of an event, such as `message`.
    public var type: String?

    /// The unchanged time of an event. ``date`` converts it.
    public var timestamp: Double?

    /// Whether the event is a deletion, or the opposite of its type.
    public var isDeleted: Bool?

    /// The id of the deleted object.
    public var deletedID: String?

    /// The id of the event's object.
    public var id: String?

    /// The id of the event's channel.
    public var channelID: AppNetChannel.ID?

    /// The type of the event's channel.
    public var channelType: AppNetChannel.Kind?

    /// The name of the event's channel (pnut.io only).
    public var channelName: String?

    /// The ids of the users who are subscribed to the event's channel.
    public var subscribedUserIDs: [AppNetUser.ID]?

    /// The ids of the users who should not be notified.
    public var suppressNotifications: [AppNetUser.ID]?

    /// Whether to suppress all notifications.
    public var suppressNotificationsAll: Bool?

    /// The id of the event's user.
    public var userID: AppNetUser.ID?

    /// The delay before the next attempt, in seconds (pnut.io only).
    public var retryIn: Int?

    /// The URL that reports the progress of a long operation (pnut.io only).
    public var statusURL: WebAddress?

    /// The revision of a post (pnut.io only).
    public var revision: Int?

    /// The JSON members without a property in this type. They are encoded again, except under the names of encoded
    /// properties.
    public var extra = JSONObject()

    /// Creates metadata with these members.
    package init(
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

extension ResponseMeta: Codable, JSONReadable {}

extension ResponseMeta {
    /// The time of an event; `nil` if the event has none (Docs/Protocols/AppNet.md §2.13).
    ///
    /// `timestamp` is in milliseconds if it is above 10¹¹, otherwise in seconds.
    public var date: Date? {
        guard let timestamp, timestamp.isFinite else { return nil }
        return Date(timeIntervalSince1970: abs(timestamp) > 1e11 ? timestamp / 1000 : timestamp)
    }
}
