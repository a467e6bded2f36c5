internal import HeliumConcurrency

/// A subscription of a user stream (Docs/Protocols/AppNet.md §2.14), which delivers the changes of one list in order.
///
/// ```swift
/// let stream = client.userStream()
/// let messages = try await stream.subscribe(to: .messages(in: 1))
/// for message in messages.initial.elements.reversed() { show(message) }
/// for try await update in messages {
///     switch update.change {
///     case .added(let message): show(message)
///     case .changed(let message): show(message)
///     case .deleted(let id, _): hide(id)
///     case .caughtUp: break
///     }
/// }
/// ```
///
/// Each added item is delivered once, in the order of the list, even if the connection is lost. No item is left out.
/// The sequence is for one consumer.
///
/// The sequence ends after ``unsubscribe()`` and ``UserStream/close()``. It fails with ``AppNetError`` if the service
/// permanently refuses the subscription, and with ``AppNetError/Kind/consumerTooSlow`` if the consumer does not take
/// its updates in time. Cancelling the consumer's task unsubscribes, and so does releasing the subscription.
public final class StreamSubscription<Value: StreamValue>: AsyncSequence, Sendable {
    /// An update.
    public typealias Element = StreamUpdate<Value>

    /// The newest items of the list at the beginning, newest first. The updates continue from there.
    public let initial: Page<Value>

    /// The id of the subscription.
    public let id: String

    private let follower: StreamFollower<Value>
    private let stream: UserStream

    init(_ follower: StreamFollower<Value>, id: String, initial: Page<Value>, on stream: UserStream) {
        self.follower = follower
        self.id = id
        self.initial = initial
        self.stream = stream
    }

    deinit { leaveSoon() }

    /// Ends the subscription. Returns when the service has confirmed it, or does not respond within 10 seconds.
    ///
    /// If the connection is lost at that time, it returns at once, and the subscription is deleted on the service at the
    /// beginning of the next connection. Buffered updates can still be taken.
    public func unsubscribe() async { await stream.keeper.leave(id, follower) }

    private func leaveSoon() { stream.keeper.leaveSoon(id, follower) }

    /// Returns an iterator over the updates. It keeps the subscription alive.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// An iterator over updates.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: StreamSubscription

        /// Returns the next update; `nil` if this side ended the subscription.
        ///
        /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled, which ends the subscription.
        public mutating func next() async throws -> StreamUpdate<Value>? {
            do {
                return try await subscription.follower.queue.next()
            } catch is CancellationError {
                subscription.leaveSoon()
                throw CancellationError()
            }
        }
    }
}
