internal import HeliumConcurrency
internal import Synchronization

/// The reads that one protocol may have under way at a time. All protocols share the readers of one database: without a
/// gate the slow reads of one would take them all.
package final class ReadGate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Guarded<State>

    package init(_ count: Int) { state = Guarded(State(free: count)) }

    /// Runs `body` when fewer reads than allowed are under way. Waits in the order of the calls.
    package func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
