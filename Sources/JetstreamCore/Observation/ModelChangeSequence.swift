/// The changes of an object, for one reader in the isolation of the object.
///
/// Changes that occur while the reader does not wait are combined into one element. The sequence holds the object
/// weakly. It ends with the object, or with the task that reads it.
public struct ModelChangeSequence<Element>: AsyncSequence {
    let state: ModelChangeState<Element>

    /// An iterator over the changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let state: ModelChangeState<Element>
        var signals: AsyncStream<Void>.AsyncIterator

        /// Returns the next changes; `nil` when the object was released or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            repeat {
                if let element = state.take() { return element }
            } while await signals.next(isolation: actor) != nil
            return nil
        }

        /// Returns the next changes; `nil` when the object was released or the task was cancelled.
        public nonisolated(nonsending) mutating func next() async -> Element? { await next(isolation: #isolation) }
    }

    /// Returns an iterator. Several iterators share the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(state: state, signals: state.signals.makeAsyncIterator())
    }
}

/// The unread changes of a sequence. Subclasses record events and combine them.
class ModelChangeState<Element> {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    deinit { continuation.finish() }

    /// Returns and clears the unread changes; `nil` if there are none.
    func take() -> Element? { nil }

    /// Wakes the reader.
    func signal() { continuation.yield() }

    /// Returns an object that ends the sequence when it is released. The observers of the observed object hold it.
    func makeEnd() -> End { End(continuation) }

    final class End {
        private let continuation: AsyncStream<Void>.Continuation
        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
        deinit { continuation.finish() }
    }
}
