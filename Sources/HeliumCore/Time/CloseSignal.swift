internal import Synchronization

/// Ends waits when a client closes: races and pauses listen to it.
package final class CloseSignal: Sendable {
    private struct State {
        var isRaised = false
        var nextID: UInt64 = 0
        var actions: [UInt64: @Sendable () -> Void] = [:]
    }

    private let state = Guarded(State())

    package init() {}

    /// Whether ``raise()`` was called.
    package var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Calls all actions, once; actions that are added later are called immediately.
    package func raise() {
        let actions = state.withLock { state in
            state.isRaised = true
            defer { state.actions = [:] }
            return state.actions.values.map { $0 }
        }
        for action in actions { action() }
    }

    /// Calls `action` when the signal is raised, or immediately if it has been.
    ///
    /// - Returns: What ``remove(_:)`` takes; `nil` if the action was called.
    func add(_ action: @escaping @Sendable () -> Void) -> UInt64? {
        let id = state.withLock { state -> UInt64? in
            guard !state.isRaised else { return nil }
            state.nextID += 1
            state.actions[state.nextID] = action
            return state.nextID
        }
        if id == nil { action() }
        return id
    }

    /// Forgets an action.
    func remove(_ id: UInt64) { state.withLock { _ = $0.actions.removeValue(forKey: id) } }
}

/// The client was closed during a wait.
package struct ClientClosed: Error {
    package init() {}
}
