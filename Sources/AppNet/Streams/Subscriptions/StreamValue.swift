internal import HeliumJSON

/// What a user stream tells of (§2.14): ``Message``, ``AppNetChannel``, ``Post``, ``AppNetUser``, ``File``, ``TokenInfo``.
///
/// The conformances are given here; there is nothing to add.
public protocol StreamValue: Hashable, Sendable {
    /// The id by which values are told apart; `nil` where there is only one.
    var streamID: AppNetID<Self>? { get }

    /// Whether it is the form that is left of something deleted.
    var isDeletedForm: Bool { get }

    /// Whether the other is certainly a newer state of the same thing.
    func isOlder(than other: Self) -> Bool

    /// Whether values never change once they are there, and their ids grow with time.
    static var isImmutable: Bool { get }
}

extension StreamValue {
    /// No.
    public var isDeletedForm: Bool { false }

    /// Not certainly.
    public func isOlder(than other: Self) -> Bool { false }

    /// No.
    public static var isImmutable: Bool { false }
}

extension Message: StreamValue {
    /// The id.
    public var streamID: AppNetID<Message>? { id }

    /// Whether it is deleted.
    public var isDeletedForm: Bool { isDeleted == true }

    /// Yes: there is no update of messages (§2.2).
    public static var isImmutable: Bool { true }
}

extension Post: StreamValue {
    /// The id.
    public var streamID: AppNetID<Post>? { id }

    /// Whether it is deleted.
    public var isDeletedForm: Bool { isDeleted == true }

    /// Yes, as far as streams tell.
    public static var isImmutable: Bool { true }
}

extension AppNetChannel: StreamValue {
    /// The id.
    public var streamID: AppNetID<AppNetChannel>? { id }

    /// By the newest message.
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
    /// There is one.
    public var streamID: AppNetID<TokenInfo>? { nil }
}
