internal import HeliumConcurrency
internal import Synchronization

/// Hands events to everyone who listens.
final class EventHub: Sendable {
    /// How many events wait for a slow reader before the oldest is dropped.
    static let capacity = 256

    private struct Listener {
        let continuation: AsyncStream<ModelEvent>.Continuation
        /// Dropped events that no later one has told of yet.
        var omitted = 0
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var nextNumber = 0
    }

    private let state = Guarded(State())

    deinit {
        for listener in state.withLock({ $0.listeners }).values { listener.continuation.finish() }
    }

    /// The events from now on.
    func events() -> ModelEvents {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ModelEvent.self,
            bufferingPolicy: .bufferingNewest(Self.capacity)
        )
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            state.listeners[state.nextNumber] = Listener(continuation: continuation)
            return state.nextNumber
        }
        // Weak: who listens keeps no model alive.
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return ModelEvents(stream: stream)
    }

    func send(_ event: ModelEvent) {
        // Under the lock, so that all listeners see one order.
        state.withLock { state in
            for (number, var listener) in state.listeners {
                var event = event
                event.omitted = listener.omitted
                listener.omitted = 0
                if case .dropped(let lost) = listener.continuation.yield(event) { listener.omitted = lost.omitted + 1 }
                state.listeners[number] = listener
            }
        }
    }
}

/// The events of a model or a collection from the moment the sequence was asked for; it ends with the model.
///
/// Each sequence is for one reader. A reader that is slow loses the oldest of more than 256 waiting events, and is told
/// how many by ``ModelEvent/omitted``.
public struct ModelEvents: AsyncSequence, Sendable {
    /// What happened.
    public typealias Element = ModelEvent

    let stream: AsyncStream<ModelEvent>

    /// Reads the events.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Reads the events.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<ModelEvent>.Iterator

        /// The next event; `nil` when the model is gone or the task was cancelled.
        public mutating func next() async -> ModelEvent? { await base.next() }

        /// The next event; `nil` when the model is gone or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ModelEvent? {
            await base.next(isolation: actor)
        }
    }
}
