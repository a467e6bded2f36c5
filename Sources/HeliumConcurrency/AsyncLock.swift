internal import Synchronization

/// A lock for tasks. It admits one task at a time, in the order of arrival, and may be held across suspension points.
///
/// With more than one permit, it admits that many tasks at a time.
package final class AsyncLock: Sendable {
    private struct State {
        var permits: Int
        var lastTicket: UInt64 = 0
        var waiters: [(ticket: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state: Guarded<State>

    /// Creates a lock.
    ///
    /// - Parameter permits: The maximum number of tasks that hold the lock at the same time.
    package init(permits: Int = 1) { state = Guarded(State(permits: max(1, permits))) }

    /// The number of waiting tasks.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Runs `body` while the task holds the lock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, in which case `body` is not called; the
    ///   error that `body` throws.
    package func withLock<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await lock()
        defer { unlock() }
        return try await body()
    }

    /// Runs `body` while the task holds several locks, which are acquired in order.
    package static func withLocks<Result>(
        _ locks: [AsyncLock],
        _ body: () async throws -> Result
    ) async throws -> Result {
        var held: [AsyncLock] = []
        defer { for lock in held.reversed() { lock.unlock() } }
        for lock in locks {
            try await lock.lock()
            held.append(lock)
        }
        return try await body()
    }

    /// Waits for the lock. The caller must call ``unlock()``.
    ///
    /// - Throws: `CancellationError`, in which case the task does not hold the lock.
    package func lock() async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let isHeld = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAdmitted: Bool? = state.withLock { state in
                    // Checked under the lock: a cancellation either finds the waiter, or is seen here.
                    if Task.isCancelled { return false }
                    if state.permits > 0 {
                        state.permits -= 1
                        return true
                    }
                    state.waiters.append((ticket, continuation))
                    return nil
                }
                if let isAdmitted { continuation.resume(returning: isAdmitted) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0).continuation }
            }
            waiter?.resume(returning: false)
        }
        if !isHeld { throw CancellationError() }
    }

    /// Passes the lock to the task that has waited longest.
    package func unlock() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.waiters.isEmpty {
                state.permits += 1
                return nil
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
