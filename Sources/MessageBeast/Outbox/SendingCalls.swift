internal import HeliumConcurrency
internal import Synchronization

/// The passes under way that callers wait for. The engine ends them before it gives up its claims: as long as one may still
/// post a message, no other engine may.
final class SendingCalls: Sendable {
    private struct Call: Sendable {
        let cancel: @Sendable () -> Void
        let end: @Sendable () async -> Void
    }

    private struct State {
        var calls: [Int: Call] = [:]
        var last = 0
        var isStopped = false
    }

    private let state = Guarded(State())

    /// Runs a pass. Cancelling the caller cancels it.
    ///
    /// - Throws: ``MessageBeastError/Kind/stopped`` if the engine has ended, or ends it; the error of the pass.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (number, task) = try state.withLock { state in
            guard !state.isStopped else { throw Self.stopped }
            let task = Task { try await body() }
            state.last += 1
            state.calls[state.last] = Call(cancel: { task.cancel() }, end: { _ = await task.result })
            return (state.last, task)
        }
        defer { state.withLock { $0.calls[number] = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch  where !(error is MessageBeastError) && state.withLock({ $0.isStopped }) {
            // A request that was cancelled with the engine is no failure of the service.
            throw Self.stopped
        }
    }

    /// Cancels all passes. New ones are refused.
    ///
    /// - Returns: Functions that wait for the end of each.
    func cancel() -> [@Sendable () async -> Void] {
        let calls = state.withLock { state in
            state.isStopped = true
            return state.calls.keys.sorted().compactMap { state.calls[$0] }
        }
        for call in calls { call.cancel() }
        return calls.map(\.end)
    }

    private static var stopped: MessageBeastError { MessageBeastError(.stopped, "the engine was stopped") }
}
