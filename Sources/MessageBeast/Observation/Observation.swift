internal import AppNet
internal import GRDB

extension MessageManager {
    /// A sequence of the values of a query on the store. Its first element is the current value.
    ///
    /// ```swift
    /// for try await messages in manager.observeMessages(in: journal, limit: 50) {
    ///     show(messages)
    /// }
    /// ```
    ///
    /// After each transaction of this engine that may have changed the value, the value is read again. It becomes an
    /// element if it differs from the last one. A transaction causes at most one element. A slow consumer misses
    /// intermediate values and receives the newest one. Changes of other processes arrive within a second.
    ///
    /// Each iteration observes independently. It ends when its task is cancelled or the engine is stopped. Iterating
    /// throws ``MessageBeastError`` if the value cannot be read.
    public struct Observation<Value: Sendable & Equatable>: AsyncSequence, Sendable {
        /// The observed value.
        public typealias Element = Value

        let context: EngineContext
        /// The tables that the value depends on.
        let tables: [String]
        let read: @Sendable (Database) throws -> Value

        /// Returns an iterator. Observation starts with its first element.
        public func makeAsyncIterator() -> Iterator { Iterator(observation: self) }

        /// The iterator of ``MessageManager/Observation``.
        public struct Iterator: AsyncIteratorProtocol {
            private let observation: Observation
            private var changes: ObservedChanges?
            private var signals: AsyncStream<Void>.AsyncIterator?
            private var last: Value?
            private var hasEnded = false

            init(observation: Observation) { self.observation = observation }

            /// Returns the current value at the first call, then each value that differs from the last one.
            ///
            /// - Returns: `nil` after the engine was stopped or the task was cancelled.
            /// - Throws: ``MessageBeastError``.
            public mutating func next() async throws -> Value? {
                do {
                    if let value = try await nextValue() { return value }
                } catch {
                    end()
                    // A read that was cancelled with its task is not a failure.
                    if !Task.isCancelled { throw error }
                }
                end()
                return nil
            }

            private mutating func nextValue() async throws -> Value? {
                if hasEnded || Task.isCancelled { return nil }
                if changes == nil {
                    guard let added = try await observation.begin() else { return nil }
                    // This runs before the first read, so that no change is missed.
                    (changes, signals) = (added, added.stream.makeAsyncIterator())
                    last = try await observation.value()
                    return last
                }
                while await signals?.next() != nil {
                    let value = try await observation.value()
                    guard value != last else { continue }
                    last = value
                    return value
                }
                return nil
            }

            private mutating func end() { (changes, signals, last, hasEnded) = (nil, nil, nil, true) }
        }

        private func begin() async throws -> ObservedChanges? {
            try await context.observers.add(tables, of: context.database.access, clock: context.clock)
        }

        private func value() async throws -> Value { try await context.read(read) }
    }
}
