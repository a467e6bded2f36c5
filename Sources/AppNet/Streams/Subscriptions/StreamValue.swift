internal import HeliumJSON

/// A value that a user stream can deliver (Docs/Protocols/AppNet.md §2.14): ``Message``, ``AppNetChannel``, ``Post``,
/// ``AppNetUser``, ``File`` or ``TokenInfo``.
///
/// These types already conform. Apps do not need to add conformances.
public protocol StreamValue: Hashable, Sendable {
    /// The id that identifies the value; `nil` if there is only one value.
    var streamID: AppNetID<Self>? { get }

    /// Whether the value is the remaining form of a deleted object.
    var isDeletedForm: Bool { get }

    /// Returns whether another value is certainly a newer state of the same object.
    func isOlder(than other: Self) -> Bool

    /// Whether values never change after creation, and their ids grow with time.
    static var isImmutable: Bool { get }
}

extension StreamValue {
    /// The default, `false`.
    public var isDeletedForm: Bool { false }

    /// Returns the default, `false`.
    public func isOlder(than other: Self) -> Bool { false }

    /// The default, `false`.
    public static var isImmutable: Bool { false }
}

extension Message: StreamValue {
    /// The id.
    public var streamID: AppNetID<Message>? { id }

    /// Whether the message is deleted.
    public var isDeletedForm: Bool { isDeleted == true }

    /// `true`, because messages cannot be updated (Docs/Protocols/AppNet.md §2.2).
    public static var isImmutable: Bool { true }
}

extension Post: StreamValue {
    /// The id.
    public var streamID: AppNetID<Post>? { id }

    /// Whether the post is deleted.
    public var isDeletedForm: Bool { isDeleted == true }

    /// `true`, because streams do not report changes of posts.
    public static var isImmutable: Bool { true }
}

extension AppNetChannel: StreamValue {
    /// The id.
    public var streamID: AppNetID<AppNetChannel>? { id }

    /// Returns whether the newest message of this channel is older than that of the other.
    public func isOlder(than other: AppNetChannel) -> Bool {
        guard let own = recentMessageID, let others = other.recentMessageID else { return false }
        return own < others
    }
}

extension AppNetUser: StreamValue {
    /// The id.
    public var streamID: AppNetID<AppNetUser>? { id }
}

extension File: StreamValue {
    /// The id.
    public var streamID: AppNetID<File>? { id }
}

extension TokenInfo: StreamValue {
    /// `nil`, because there is only one token.
    public var streamID: AppNetID<TokenInfo>? { nil }
}
