internal import HeliumConcurrency
internal import Synchronization

/// Lets one write in at a time, in the order in which they asked.
final class WriteLine: Sendable {
    private struct State {
        var isBusy = false
        var nextTicket: UInt64 = 0
        var waiters: [(ticket: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Guarded(State())

    /// How many wait.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Runs `write` when it's its turn.
    ///
    /// - Throws: `CancellationError`, if the task is cancelled while it waits: `write` has not begun then. What `write` throws.
    func run<Result>(_ write: () async throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await write()
    }

    /// Runs `write` when it's its turn in all of several lines: they are entered in their order.
    static func run<Result>(inAll lines: [WriteLine], _ write: () async throws -> Result) async throws -> Result {
        var entered: [WriteLine] = []
        defer { for line in entered.reversed() { line.leave() } }
        for line in lines {
            try await line.enter()
            entered.append(line)
        }
        return try await write()
    }

    /// Waits for its turn. After it, ``leave()`` must be called.
    ///
    /// - Throws: `CancellationError`: it is nobody's turn then.
    func enter() async throws {
        try Task.checkCancellation()
        let ticket = state.withLock { state -> UInt64 in
            state.nextTicket += 1
            return state.nextTicket
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    // The handler may have run already and found nobody to call back.
                    if Task.isCancelled { return false }
                    if !state.isBusy {
                        state.isBusy = true
                        return true
                    }
                    state.waiters.append((ticket, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0).continuation }
            }
            waiter?.resume(returning: false)
        }
        if !isIn { throw CancellationError() }
    }

    /// Lets the next in.
    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.waiters.isEmpty {
                state.isBusy = false
                return nil
            }
            return state.waiters.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
