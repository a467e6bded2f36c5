/// Changes of an object, for one reader in the isolation where the object lives.
///
/// What happens while nobody waits is put together to one element. The sequence ends with the object or with the task that reads
/// it, and holds the object weakly.
public struct ModelChangeSequence<Element>: AsyncSequence {
    let state: ModelChangeState<Element>

    /// Reads the changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let state: ModelChangeState<Element>
        var signals: AsyncStream<Void>.AsyncIterator

        /// The next changes; `nil` when the object is gone or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            repeat {
                if let element = state.take() { return element }
            } while await signals.next(isolation: actor) != nil
            return nil
        }

        /// The next changes; `nil` when the object is gone or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async -> Element? { await next(isolation: #isolation) }
    }

    /// An iterator. Several share the elements.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(state: state, signals: state.signals.makeAsyncIterator())
    }
}

/// Changes that a sequence's reader has not read yet. Subclasses note events and put them together.
class ModelChangeState<Element> {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    deinit { continuation.finish() }

    /// Takes what there is to read; `nil` for nothing.
    func take() -> Element? { nil }

    /// Wakes the reader.
    func signal() { continuation.yield() }

    /// Ends the sequence when it is freed: the observed object's observers hold it.
    func makeEnd() -> End { End(continuation) }

    final class End {
        private let continuation: AsyncStream<Void>.Continuation
        init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }
        deinit { continuation.finish() }
    }
}
