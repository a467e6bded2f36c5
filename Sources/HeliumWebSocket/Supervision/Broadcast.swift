internal import HeliumConcurrency
internal import Synchronization

/// The newest value, and streams of those that follow.
package final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var isOver = false
        var nextID = 0
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Guarded<State>
    private let limit: Int

    /// - Parameters:
    ///   - value: The first value.
    ///   - limit: How many values a slow listener may be behind; older ones are dropped then.
    package init(_ value: Value, limit: Int = 64) {
        state = Guarded(State(value: value))
        self.limit = limit
    }

    /// The newest value.
    package var value: Value { state.withLock { $0.value } }

    /// The newest value and all that follow, for one listener.
    package var stream: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(limit))
        let id = state.withLock { state in
            continuation.yield(state.value)
            guard !state.isOver else { return Int?.none }
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            return state.nextID
        }
        if let id {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
            }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Tells a value.
    package func send(_ value: Value) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.value = value
            // Under the lock, so that all see the same order; nobody runs in here.
            for listener in state.listeners.values { listener.yield(value) }
        }
    }

    /// Tells the last value and ends the streams.
    package func finish(_ value: Value) {
        send(value)
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return state.listeners
        }
        // Outside of the lock: their ends come back to it.
        for listener in listeners.values { listener.finish() }
    }
}
