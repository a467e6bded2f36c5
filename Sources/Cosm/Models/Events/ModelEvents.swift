internal import HeliumConcurrency

/// The events of a model or a collection from the moment the sequence was asked for; it ends with the model.
///
/// Each sequence is for one reader. A reader that is slow loses the oldest of more than 256 waiting events, and is told
/// how many by ``ModelEvent/omitted``.
public struct ModelEvents: AsyncSequence, Sendable {
    /// What happened.
    public typealias Element = ModelEvent

    /// The maximum number of events that wait for a slow reader.
    static let capacity = 256

    private let stream: AsyncStream<ModelEvent>

    /// The events that `broadcast` sends from now on.
    init(_ broadcast: Broadcast<ModelEvent>) { stream = broadcast.stream() }

    /// Makes what a model sends its events with.
    static func broadcast() -> Broadcast<ModelEvent> {
        Broadcast(limit: capacity) { event, lost in event.omitted = lost.omitted + 1 }
    }

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
