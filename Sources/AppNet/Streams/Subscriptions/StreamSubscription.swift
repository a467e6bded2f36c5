internal import HeliumConcurrency

/// A subscription of a user stream (§2.14): what happens in one list, in order.
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
/// However often the connection breaks, what is added is told once, in the list's order, and nothing is left out. The
/// sequence is for one consumer. It ends after ``unsubscribe()`` and after ``UserStream/close()``, and fails with
/// ``AppNetError`` when the service refuses the subscription for good, and with ``AppNetError/Kind/consumerTooSlow``
/// when updates are not taken. Cancelling the consumer's task unsubscribes, and so does letting go of the subscription.
public final class StreamSubscription<Value: StreamValue>: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = StreamUpdate<Value>

    /// The list's newest items at the beginning, newest first; updates go on from there.
    public let initial: Page<Value>

    /// Its name with the service.
    public let id: String

    private let queue: BoundedQueue<StreamUpdate<Value>>
    private let stream: UserStream

    init(_ follower: StreamFollower<Value>, id: String, initial: Page<Value>, on stream: UserStream) {
        queue = follower.queue
        self.id = id
        self.initial = initial
        self.stream = stream
    }

    deinit { leaveSoon() }

    /// Ends the subscription, and returns when the service has confirmed that, or doesn't answer. Updates that were not
    /// taken yet can still be.
    public func unsubscribe() async {
        queue.finish()
        await stream.keeper.leave(id)
    }

    private func leaveSoon() {
        queue.finish()
        stream.keeper.leaveSoon(id)
    }

    /// The updates; an iterator keeps the subscription.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// Takes updates.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: StreamSubscription

        /// The next update; `nil` at an end from here.
        ///
        /// - Throws: ``AppNetError``; `CancellationError`, and the subscription is over.
        public mutating func next() async throws -> StreamUpdate<Value>? {
            do {
                return try await subscription.queue.next()
            } catch is CancellationError {
                subscription.leaveSoon()
                throw CancellationError()
            }
        }
    }
}
