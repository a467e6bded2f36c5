internal import HeliumCore

/// A subscription that the server has confirmed: its updates, in order.
///
/// ```swift
/// let shed = try await cosm.subscribe(to: 504)
/// for try await update in shed {
///     print(update.value.datastreams ?? [], update.origin)
/// }
/// ```
///
/// When the connection breaks it is restored, the document is read, and what is different is told as
/// ``LiveUpdate/Origin/resynchronised``: the newest state is never missed. The sequence is for one consumer. It ends after
/// ``unsubscribe()`` and after ``CosmSocket/close()``, and fails with ``CosmError`` when the server refuses the subscription
/// for good. Cancelling the consumer's task unsubscribes, and so does letting go of the subscription.
public final class LiveSubscription<Value: Hashable & Sendable>: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = LiveUpdate<Value>

    /// What is followed.
    public let resource: LiveResource

    private let takeNext: @Sendable () async throws -> LiveUpdate<Value>?
    private let end: @Sendable () -> AsyncThrowingStream<Void, any Error>?
    private let wait: @Sendable (AsyncThrowingStream<Void, any Error>) async throws -> Void

    init(_ follower: LiveFollower<Value>, number: Int, on socket: CosmSocket) where Value: LiveValue {
        let resource = follower.resource
        self.resource = resource
        takeNext = { try await follower.next() }
        end = {
            follower.ended(nil)
            return socket.leave(resource.path, number)
        }
        wait = { stream in
            try await socket.wait(
                stream,
                limit: socket.options.replyTimeout,
                phase: .total,
                .unsubscribe,
                resource.path
            )
        }
    }

    deinit { _ = end() }

    /// Ends the subscription, and returns when the server has confirmed that or the connection is gone. Updates that were not
    /// taken yet can still be.
    public func unsubscribe() async {
        guard let stream = end() else { return }
        // Nobody waits for a server that doesn't answer: the connection is given up then.
        try? await wait(stream)
    }

    /// The updates; an iterator keeps the subscription.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// Takes updates.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: LiveSubscription

        /// The next update; `nil` at an end from here.
        ///
        /// - Throws: ``CosmError``; `CancellationError`, and the subscription is over.
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
