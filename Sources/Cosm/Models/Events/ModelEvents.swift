internal import HeliumConcurrency

/// The events of a model or a collection from the time when the sequence was created. It ends when the model is
/// released.
///
/// Each sequence supports one reader. At most 256 events are buffered. Beyond that the oldest are dropped, and
/// ``ModelEvent/omitted`` of the next event has their number.
public struct ModelEvents: AsyncSequence, Sendable {
    /// The element type: an event.
    public typealias Element = ModelEvent

    /// The maximum number of events that are buffered for a slow reader.
    static let capacity = 256

    private let stream: AsyncStream<ModelEvent>

    /// Creates a sequence of the events that `broadcast` sends from now on.
    init(_ broadcast: Broadcast<ModelEvent>) { stream = broadcast.stream() }

    /// Returns the broadcast of a model's events.
    static func broadcast() -> Broadcast<ModelEvent> {
        Broadcast(limit: capacity) { event, lost in event.omitted += lost.omitted + 1 }
    }

    /// Returns an iterator of the events.
    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// The iterator of ``ModelEvents``.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<ModelEvent>.Iterator

        /// Returns the next event, or `nil` when the model has been released or the task is cancelled.
        public mutating func next() async -> ModelEvent? { await base.next() }

        /// Returns the next event, or `nil` when the model has been released or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ModelEvent? {
            await base.next(isolation: actor)
        }
    }
}
