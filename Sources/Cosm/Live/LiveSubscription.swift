internal import HeliumConcurrency
internal import HeliumCore

/// A confirmed subscription to a feed or a datastream. It is a sequence of updates in order.
///
/// ```swift
/// let shed = try await cosm.subscribe(to: id)
/// for try await update in shed {
///     print(update.changedDatastreams, update.origin)
/// }
/// ```
///
/// After a lost connection is restored, the document is read. A difference is delivered with the origin
/// ``LiveOrigin/resynchronised``, so the newest state always arrives.
///
/// The sequence supports one consumer. It ends after ``unsubscribe()`` and after ``CosmSocket/close()``. It throws
/// ``CosmError`` if the server rejects the subscription permanently. A server that is overloaded, fails (500 and above
/// except 501 and 505), or limits the rate of an existing subscription is asked again, with the delays of
/// ``CosmSocketOptions/backoff``, while other subscriptions go on. Cancelling the consumer's task or releasing the
/// subscription unsubscribes.
public final class LiveSubscription<Value: Hashable & Sendable>: AsyncSequence, Sendable {
    /// An update of the document.
    public typealias Element = LiveUpdate<Value>

    /// The resource that is subscribed to.
    public let resource: LiveResource

    private let takeNext: @Sendable () async throws -> LiveUpdate<Value>?
    private let end: @Sendable () -> Signal<Void>?
    private let wait: @Sendable (Signal<Void>) async throws -> Void

    init(_ follower: LiveFollower<Value>, number: Int, on socket: CosmSocket) where Value: LiveValue {
        let resource = follower.resource
        self.resource = resource
        takeNext = { try await follower.next() }
        end = {
            follower.ended(nil)
            return socket.leave(resource.path, number)
        }
        wait = { settled in
            try await socket.wait(
                for: settled,
                limit: socket.options.replyTimeout,
                phase: .total,
                .unsubscribe,
                resource.path
            )
        }
    }

    deinit { _ = end() }

    /// Ends the subscription. Returns once the server has confirmed this or the connection has ended. Updates that have
    /// arrived can still be read.
    public func unsubscribe() async {
        guard let settled = end() else { return }
        // A server that does not respond loses the connection, which ends the subscription as well.
        try? await wait(settled)
    }

    /// Returns an iterator of the updates. It retains the subscription.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// The iterator of a ``LiveSubscription``.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: LiveSubscription

        /// Returns the next update, or `nil` after ``LiveSubscription/unsubscribe()`` or ``CosmSocket/close()``.
        ///
        /// - Throws: ``CosmError``; `CancellationError`. The subscription has ended then.
        public mutating func next() async throws -> LiveUpdate<Value>? {
            do {
                return try await subscription.takeNext()
            } catch is CancellationError {
                _ = subscription.end()
                throw CancellationError()
            }
        }
    }
}

/// The updates that a subscription delivers beyond the server's pushes, and the size of its buffer.
public struct SubscriptionOptions: Hashable, Sendable {
    /// Whether the first update is the document as it is when the subscription begins.
    ///
    /// Default: `false`, the server sends nothing before the next change (Docs/Protocols/Cosm.md §14.3).
    public var startsWithCurrentState = false

    /// Whether the datapoints of an outage are read from the history and delivered in order, before the current state.
    /// Default: `false`, only the current state is delivered.
    ///
    /// The outage begins five minutes before the loss of the connection was noticed, or earlier if the timeouts of the
    /// connection are longer. Each datastream needs a request for each six hours of the outage, and for each thousand
    /// points. Without `WebSocketOptions.Timeouts.silence` the outage begins at the last known datapoint.
    public var fillsGapsFromHistory = false

    /// The maximum number of datapoints that are read for one outage. Default: 10,000. Values below 0 count as 0. If
    /// there are more, the next update has ``LiveUpdate/followsGap`` set.
    public var maximumHistoryPoints = 10_000

    /// The maximum number of updates that are buffered for a slow consumer. Default: 256. Minimum: 1. Beyond it the oldest update
    /// is dropped, and the next one has ``LiveUpdate/followsGap`` set. The newest state always arrives.
    public var bufferLimit = 256

    /// Creates options with the default values.
    public init() {}
}
