internal import Synchronization

/// An event that happens once, with a value or an error, and that any number of tasks can wait for.
package final class Signal<Value: Sendable>: Sendable {
    /// Called once with the outcome.
    package typealias Action = @Sendable (Result<Value, any Error>) -> Void

    /// An action that waits for the event, in a list that is linked in the order of ``add(_:)``. A dictionary whose
    /// types depend on `Value` costs each process the pages of its generic code.
    ///
    /// `@unchecked`: the links change only under the lock of the signal that has the waiter; once it is settled, only
    /// the call that settled it uses them.
    package final class Waiter: @unchecked Sendable {
        fileprivate let action: Action
        fileprivate var isListed = true
        fileprivate var next: Waiter?
        /// Valid while the waiter is listed: the list owns all that are before it.
        fileprivate unowned(unsafe) var previous: Waiter?

        fileprivate init(_ action: @escaping Action, after previous: Waiter?) {
            self.action = action
            self.previous = previous
        }
    }

    private struct State {
        var outcome: Result<Value, any Error>?
        var first: Waiter?
        var last: Waiter?
        var count = 0

        mutating func append(_ action: @escaping Action) -> Waiter {
            let waiter = Waiter(action, after: last)
            if let last { last.next = waiter } else { first = waiter }
            last = waiter
            count += 1
            return waiter
        }

        mutating func remove(_ waiter: Waiter) {
            guard outcome == nil, waiter.isListed else { return }
            waiter.isListed = false
            if let next = waiter.next { next.previous = waiter.previous } else { last = waiter.previous }
            if let previous = waiter.previous { previous.next = waiter.next } else { first = waiter.next }
            waiter.next = nil
            count -= 1
        }

        /// Empties the list and returns its first waiter.
        mutating func takeAll() -> Waiter? {
            defer {
                first = nil
                last = nil
                count = 0
            }
            return first
        }
    }

    private let state = Guarded(State())

    package init() {}

    /// Whether the event has happened.
    package var isSettled: Bool { state.withLock { $0.outcome != nil } }

    /// The number of tasks and actions that wait for the event.
    package var waiterCount: Int { state.withLock { $0.count } }

    /// Reports the event and resumes all waiting tasks. Does nothing if it has happened already.
    ///
    /// - Returns: Whether this was the first outcome.
    @discardableResult
    package func settle(_ outcome: Result<Value, any Error>) -> Bool {
        let (isFirst, first) = state.withLock { state -> (Bool, Waiter?) in
            guard state.outcome == nil else { return (false, nil) }
            state.outcome = outcome
            return (true, state.takeAll())
        }
        Self.unlink(first) { $0(outcome) }
        return isFirst
    }

    /// Waits for the event.
    ///
    /// - Throws: The error that the signal was settled with; `CancellationError` if the calling task is cancelled
    ///   first.
    package func value() async throws -> Value {
        let waiter = Signal<Value>()
        return try await withTaskCancellationHandler {
            let added = add { waiter.settle($0) }
            defer { if let added { remove(added) } }
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
    /// - Returns: The waiter that ``remove(_:)`` takes; `nil` if the action was called.
    @discardableResult
    package func add(_ action: @escaping Action) -> Waiter? {
        let (waiter, outcome) = state.withLock { state -> (Waiter?, Result<Value, any Error>?) in
            if let outcome = state.outcome { return (nil, outcome) }
            return (state.append(action), nil)
        }
        if let outcome { action(outcome) }
        return waiter
    }

    /// Removes an action that ``add(_:)`` has stored.
    package func remove(_ waiter: Waiter) { state.withLock { $0.remove(waiter) } }

    deinit { Self.unlink(state.withLock { $0.takeAll() }) { _ in } }

    /// Passes the actions on and takes the list apart. If its first waiter freed the next one, and so on, a long list
    /// would overflow the stack.
    private static func unlink(_ first: Waiter?, _ body: (Action) -> Void) {
        var rest = first
        while let waiter = rest {
            rest = waiter.next
            waiter.next = nil
            body(waiter.action)
        }
    }
}

extension Signal where Value == Void {
    /// Reports the event.
    @discardableResult
    package func settle() -> Bool { settle(.success(())) }
}
