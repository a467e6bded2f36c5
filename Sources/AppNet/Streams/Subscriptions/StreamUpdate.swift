public import HeliumCore

/// An update of a subscription.
public struct StreamUpdate<Value: StreamValue>: Hashable, Sendable {
    /// A change in a list.
    public enum Change: Hashable, Sendable {
        /// An item was added.
        case added(Value)
        /// An item that was delivered earlier, or is part of ``StreamSubscription/initial``, has changed.
        case changed(Value)
        /// An item was deleted, or the opposite of the action that added it happened. The value is its deleted form, if
        /// the service sent it.
        case deleted(AppNetID<Value>, Value?)
        /// The connection was lost, and all missed items have been delivered. Deletions of delivered items are only
        /// complete if the service resumed the stream (`isResumed`); otherwise some may be missing.
        case caughtUp(isResumed: Bool)
    }

    /// The source of an update.
    public enum Origin: Hashable, Sendable {
        /// An event of the stream.
        case event
        /// A page that was read after the connection had been lost.
        case catchUp
    }

    /// The change.
    public let change: Change

    /// The source of the update.
    public let origin: Origin

    /// The metadata of the event, or of the page that was read.
    public let meta: ResponseMeta?

    /// The missed items that could not be decoded, and are therefore not delivered. Only the update
    /// ``Change/caughtUp(isResumed:)`` has them.
    public let unreadable: UnreadableItems

    /// Creates an update.
    public init(
        change: Change,
        origin: Origin,
        meta: ResponseMeta? = nil,
        unreadable: UnreadableItems = UnreadableItems()
    ) {
        self.change = change
        self.origin = origin
        self.meta = meta
        self.unreadable = unreadable
    }

    /// The added or changed value.
    public var value: Value? {
        switch change {
        case .added(let value), .changed(let value): value
        case .deleted, .caughtUp: nil
        }
    }
}
