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

    /// The number of times that the value was revised, as far as it shows. Only values whose ids grow with time have it.
    var revisionCount: Int { get }

    /// Whether ids grow with time, deleted values never come back, and values only change by revisions.
    static var hasGrowingIDs: Bool { get }
}

extension StreamItem {
    package var isDeletedForm: Bool { false }
    package func isOlder(than other: Self) -> Bool { false }
    package var revisionCount: Int { 0 }
    package static var hasGrowingIDs: Bool { false }
}

/// The members of ``StreamItem``, for code whose values are only known to be a ``StreamValue``.
struct StreamItemTraits<Value: StreamValue>: Sendable {
    /// Returns the id of a value.
    let id: @Sendable (Value) -> AppNetID<Value>?

    /// Returns whether a value is the remaining form of a deleted object.
    let isDeletedForm: @Sendable (Value) -> Bool

    /// Returns whether the second value is certainly a newer state of the same object as the first.
    let isOlder: @Sendable (Value, Value) -> Bool

    /// Returns the number of times that a value was revised, as far as it shows.
    let revisionCount: @Sendable (Value) -> Int

    /// Whether ids grow with time, deleted values never come back, and values only change by revisions.
    let hasGrowingIDs: Bool

    init() where Value: StreamItem {
        id = { $0.streamID }
        isDeletedForm = { $0.isDeletedForm }
        isOlder = { $0.isOlder(than: $1) }
        revisionCount = { $0.revisionCount }
        hasGrowingIDs = Value.hasGrowingIDs
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
    package static var hasGrowingIDs: Bool { true }
}

extension Post: StreamItem {
    package var streamID: AppNetID<Post>? { id }

    /// Whether the post is deleted.
    package var isDeletedForm: Bool { isDeleted == true }

    /// One if the post was revised, which pnut.io reports (Docs/Protocols/AppNet.md §6.2).
    package var revisionCount: Int { isRevised == true ? 1 : 0 }

    /// `true`, because posts only change by a revision.
    package static var hasGrowingIDs: Bool { true }
}

extension AppNetChannel: StreamItem {
    package var streamID: AppNetID<AppNetChannel>? { id }

    /// Returns whether the other state of the channel has a newer message, or knows that the newest message of this state
    /// was deleted.
    ///
    /// After the newest message was deleted, pnut.io reports an earlier one, and the deleted one separately
    /// (Docs/Protocols/AppNet.md §6.3).
    package func isOlder(than other: AppNetChannel) -> Bool {
        guard let own = newestMessageID, let others = other.newestMessageID else { return false }
        return own < others || (own == others && own == recentMessageID && own == other.recentDeletedMessageID)
    }

    private var newestMessageID: Message.ID? { [recentMessageID, recentDeletedMessageID].compactMap(\.self).max() }
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
