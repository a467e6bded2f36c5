internal import Synchronization

/// An event that happens once, with a value or an error, and that any number of tasks can wait for.
package final class Signal<Value: Sendable>: Sendable {
    /// Called once with the outcome.
    package typealias Action = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var outcome: Result<Value, any Error>?
        var lastID: UInt64 = 0
        var actions: [UInt64: Action] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    /// Whether the event has happened.
    package var isSettled: Bool { state.withLock { $0.outcome != nil } }

    /// The number of tasks and actions that wait for the event.
    package var waiterCount: Int { state.withLock { $0.actions.count } }

    /// Reports the event and resumes all waiting tasks. Does nothing if it has happened already.
    ///
    /// - Returns: Whether this was the first outcome.
    @discardableResult
    package func settle(_ outcome: Result<Value, any Error>) -> Bool {
        let (isFirst, actions) = state.withLock { state -> (Bool, [UInt64: Action]) in
            guard state.outcome == nil else { return (false, [:]) }
            state.outcome = outcome
            defer { state.actions = [:] }
            return (true, state.actions)
        }
        for action in actions.values { action(outcome) }
        return isFirst
    }

    /// Waits for the event.
    ///
    /// - Throws: The error that the signal was settled with; `CancellationError` if the calling task is cancelled
    ///   first.
    package func value() async throws -> Value {
        let waiter = Signal<Value>()
        return try await withTaskCancellationHandler {
            let id = add { waiter.settle($0) }
            defer { if let id { remove(id) } }
            return try await waiter.valueIgnoringCancellation()
        } onCancel: {
            waiter.settle(.failure(CancellationError()))
        }
    }

    /// Waits for the event even if the calling task is cancelled.
    ///
    /// - Throws: The error that the signal was settled with.
    package func valueIgnoringCancellation() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in add { continuation.resume(with: $0) } }
    }

    /// Calls an action when the event happens, or immediately if it has happened.
    ///
    /// - Returns: The number by which ``remove(_:)`` finds the action; `nil` if the action was called.
    @discardableResult
    package func add(_ action: @escaping Action) -> UInt64? {
        let (id, outcome) = state.withLock { state -> (UInt64?, Result<Value, any Error>?) in
            if let outcome = state.outcome { return (nil, outcome) }
            state.lastID += 1
            state.actions[state.lastID] = action
            return (state.lastID, nil)
        }
        if let outcome { action(outcome) }
        return id
    }

    /// Removes an action that ``add(_:)`` has stored.
    package func remove(_ id: UInt64) { state.withLock { _ = $0.actions.removeValue(forKey: id) } }
}

extension Signal where Value == Void {
    /// Reports the event.
    @discardableResult
    package func settle() -> Bool { settle(.success(())) }
}
