internal import Synchronization

/// A value that changes, with sequences of its changes.
package final class CurrentValue<Value: Sendable>: Sendable {
    private let current: Guarded<Value>
    private let changes: Broadcast<Value>

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - value: The initial value.
    ///   - limit: The maximum number of values that wait for a slow listener. Beyond it, the oldest is dropped.
    package init(_ value: Value, limit: Int = 64) {
        current = Guarded(value)
        changes = Broadcast(limit: limit)
    }

    /// The current value.
    package var value: Value { current.withLock { $0 } }

    /// The current value and all later ones, for one listener.
    package var stream: AsyncStream<Value> { current.withLock { changes.stream(startingWith: $0) } }

    /// Sets the value. Does nothing after ``finish(_:)``.
    package func send(_ value: Value) {
        set(value)
        deliver()
    }

    /// Sets the value, and resumes no task. For callers that hold a lock: they call ``deliver()`` after they have
    /// released it. Does nothing after ``finish(_:)``.
    package func set(_ value: Value) {
        // Enqueued under the lock, so that a new listener receives each value exactly once.
        current.withLock { if changes.enqueue(value) { $0 = value } }
    }

    /// Sends the values that were set to the listeners. Call it without holding a lock.
    package func deliver() { changes.deliver() }

    /// Sets the last value, and ends the sequences.
    package func finish(_ value: Value) {
        set(value)
        changes.finish()
    }
}
