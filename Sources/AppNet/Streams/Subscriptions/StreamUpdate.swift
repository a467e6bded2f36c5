/// What a subscription tells.
public struct StreamUpdate<Value: StreamValue>: Hashable, Sendable {
    /// What happened.
    public enum Change: Hashable, Sendable {
        /// Something is new.
        case added(Value)
        /// Something that was told, or was in ``StreamSubscription/initial``, is different now.
        case changed(Value)
        /// Something is deleted, or the opposite of what added it happened. With what is left of it, if the service
        /// said.
        case deleted(AppNetID<Value>, Value?)
        /// The connection was lost, and all that was missed has been told. Deletions of what had been told are among it
        /// only where the service resumed the stream (`isResumed`): otherwise some may be missing.
        case caughtUp(isResumed: Bool)
    }

    /// Where it comes from.
    public enum Origin: Hashable, Sendable {
        /// The stream told it.
        case event
        /// It was read after the connection had been lost.
        case catchUp
    }

    /// What happened.
    public let change: Change

    /// Where it comes from.
    public let origin: Origin

    /// What the event, or the page that was read, says besides.
    public let meta: ResponseMeta?

    /// An update.
    public init(change: Change, origin: Origin, meta: ResponseMeta? = nil) {
        self.change = change
        self.origin = origin
        self.meta = meta
    }

    /// What was added or changed.
    public var value: Value? {
        switch change {
        case .added(let value), .changed(let value): value
        case .deleted, .caughtUp: nil
        }
    }
}
