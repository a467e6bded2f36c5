internal import HeliumConcurrency

/// The points of a store and all of their changes, for one listener.
///
/// ```swift
/// for await update in store.updates {
///     switch update {
///     case .snapshot(let snapshot): chart.show(snapshot.points)
///     case .changes(let changes): chart.apply(changes)
///     }
/// }
/// ```
///
/// The first element is a snapshot. Changes follow in the order of their numbers. At most 64 batches are buffered for a
/// listener: if it falls further behind, it receives a snapshot instead of the missed batches. Iterating does not
/// retain the store and ends when the store is released.
public struct SeriesUpdates: AsyncSequence, Sendable {
    /// A snapshot or changes.
    public typealias Element = SeriesUpdate

    /// Iterating never fails.
    public typealias Failure = Never

    /// The data that an iterator needs from the store.
    struct Subscription {
        let first: SeriesSnapshot
        let changes: AsyncStream<SeriesChanges>
    }

    let subscribe: @Sendable () -> Subscription?
    let snapshot: @Sendable () -> SeriesSnapshot?

    /// Returns an iterator that listens from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(subscribe(), snapshot: snapshot) }

    /// An iterator over the updates.
    public struct Iterator: AsyncIteratorProtocol {
        private var changes: AsyncStream<SeriesChanges>.Iterator?
        private var first: SeriesSnapshot?
        private var lastNumber: Int
        private let snapshot: @Sendable () -> SeriesSnapshot?

        init(_ subscription: Subscription?, snapshot: @escaping @Sendable () -> SeriesSnapshot?) {
            changes = subscription?.changes.makeAsyncIterator()
            first = subscription?.first
            lastNumber = subscription?.first.number ?? 0
            self.snapshot = snapshot
        }

        /// Returns the next update; `nil` when the store is released or the task is cancelled.
        public mutating func next() async -> SeriesUpdate? { await next(isolation: nil) }

        /// Returns the next update; `nil` when the store is released or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SeriesUpdate? {
            if let first {
                self.first = nil
                return .snapshot(first)
            }
            while let batch = await changes?.next(isolation: actor) {
                // The batch is already part of a snapshot.
                if batch.number <= lastNumber { continue }
                if batch.number == lastNumber + 1 {
                    lastNumber = batch.number
                    return .changes(batch)
                }
                guard let snapshot = snapshot() else { return nil }
                lastNumber = snapshot.number
                return .snapshot(snapshot)
            }
            return nil
        }
    }
}
