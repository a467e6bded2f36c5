internal import Synchronization

/// A value that changes, and sequences of what it becomes.
package final class CurrentValue<Value: Sendable>: Sendable {
    private let current: Guarded<Value>
    private let changes: Broadcast<Value>

    /// - Parameters:
    ///   - value: The first value.
    ///   - limit: The maximum number of values that wait for a slow listener. Beyond it the oldest is dropped.
    package init(_ value: Value, limit: Int = 64) {
        current = Guarded(value)
        changes = Broadcast(limit: limit)
    }

    /// The value.
    package var value: Value { current.withLock { $0 } }

    /// The value and all that follow, for one listener.
    package var stream: AsyncStream<Value> { current.withLock { changes.stream(startingWith: $0) } }

    /// Sets the value. Does nothing after ``finish(_:)``.
    package func send(_ value: Value) {
        // The sender's lock is taken inside, so that a new listener misses no value and sees none twice.
        current.withLock { if changes.send(value) { $0 = value } }
    }

    /// Sets the last value, and ends the sequences.
    package func finish(_ value: Value) {
        send(value)
        changes.finish()
    }
}
