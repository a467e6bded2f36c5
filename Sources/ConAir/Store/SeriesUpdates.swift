internal import HeliumConcurrency

/// The points of a store and all their changes, for one listener.
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
/// The first element is a snapshot. Changes follow in the order of their numbers. At most 64 batches wait for a
/// listener: one that falls further behind gets a snapshot in place of what it missed. Iterating does not keep the
/// store alive, and ends with it.
public struct SeriesUpdates: AsyncSequence, Sendable {
    /// A snapshot or changes.
    public typealias Element = SeriesUpdate

    /// Nothing.
    public typealias Failure = Never

    /// What an iterator needs of the store.
    struct Subscription {
        let first: SeriesSnapshot
        let changes: AsyncStream<SeriesChanges>
    }

    let subscribe: @Sendable () -> Subscription?
    let snapshot: @Sendable () -> SeriesSnapshot?

    /// An iterator, which listens from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(subscribe(), snapshot: snapshot) }

    /// Takes the updates one by one.
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

        /// The next update; `nil` when the store is gone, or the task is cancelled.
        public mutating func next() async -> SeriesUpdate? { await next(isolation: nil) }

        /// The next update; `nil` when the store is gone, or the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SeriesUpdate? {
            if let first {
                self.first = nil
                return .snapshot(first)
            }
            while let batch = await changes?.next(isolation: actor) {
                // A snapshot has it already.
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
