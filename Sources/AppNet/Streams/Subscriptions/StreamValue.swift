internal import HeliumJSON

/// A value that a user stream can deliver (Docs/Protocols/AppNet.md §2.14): ``Message``, ``AppNetChannel``, ``Post``,
/// ``AppNetUser``, ``File`` or ``TokenInfo``.
///
/// These types already conform. Apps do not need to add conformances.
public protocol StreamValue: Hashable, Sendable {}

/// The facts by which subscriptions recognize values and their changes. Each ``StreamValue`` has them.
package protocol StreamItem: StreamValue {
    /// The id that identifies the value; `nil` if there is only one value.
    var streamID: AppNetID<Self>? { get }

    /// Whether the value is the remaining form of a deleted object.
    var isDeletedForm: Bool { get }

    /// Returns whether another value is certainly a newer state of the same object.
    func isOlder(than other: Self) -> Bool

    /// Whether values never change after creation, and their ids grow with time.
    static var isImmutable: Bool { get }
}

extension StreamItem {
    package var isDeletedForm: Bool { false }
    package func isOlder(than other: Self) -> Bool { false }
    package static var isImmutable: Bool { false }
}

/// The members of ``StreamItem``, for code whose values are only known to be a ``StreamValue``.
struct StreamItemTraits<Value: StreamValue>: Sendable {
    /// Returns the id of a value.
    let id: @Sendable (Value) -> AppNetID<Value>?

    /// Returns whether a value is the remaining form of a deleted object.
    let isDeletedForm: @Sendable (Value) -> Bool

    /// Returns whether the second value is certainly a newer state of the same object as the first.
    let isOlder: @Sendable (Value, Value) -> Bool

    /// Whether values never change after creation.
    let isImmutable: Bool

    init() where Value: StreamItem {
        id = { $0.streamID }
        isDeletedForm = { $0.isDeletedForm }
        isOlder = { $0.isOlder(than: $1) }
        isImmutable = Value.isImmutable
    }
}

extension Message: StreamValue {}
extension Post: StreamValue {}
extension AppNetChannel: StreamValue {}
extension AppNetUser: StreamValue {}
extension File: StreamValue {}
extension TokenInfo: StreamValue {}

extension Message: StreamItem {
    package var streamID: AppNetID<Message>? { id }

    /// Whether the message is deleted.
    package var isDeletedForm: Bool { isDeleted == true }

    /// `true`, because messages cannot be updated (Docs/Protocols/AppNet.md §2.2).
    package static var isImmutable: Bool { true }
}

extension Post: StreamItem {
    package var streamID: AppNetID<Post>? { id }

    /// Whether the post is deleted.
    package var isDeletedForm: Bool { isDeleted == true }

    /// `true`, because streams do not report changes of posts.
    package static var isImmutable: Bool { true }
}

extension AppNetChannel: StreamItem {
    package var streamID: AppNetID<AppNetChannel>? { id }

    /// Returns whether the newest message of this channel is older than that of the other.
    package func isOlder(than other: AppNetChannel) -> Bool {
        guard let own = recentMessageID, let others = other.recentMessageID else { return false }
        return own < others
    }
}

extension AppNetUser: StreamItem {
    package var streamID: AppNetID<AppNetUser>? { id }
}

extension File: StreamItem {
    package var streamID: AppNetID<File>? { id }
}

extension TokenInfo: StreamItem {
    /// `nil`, because there is only one token.
    package var streamID: AppNetID<TokenInfo>? { nil }
}
