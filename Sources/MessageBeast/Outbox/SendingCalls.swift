internal import HeliumConcurrency
internal import Synchronization

/// The running passes that callers wait for. The engine ends them before it releases its claims: as long as one may
/// still post a message, no other engine may.
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

    /// Runs a pass. Cancelling the caller cancels the pass.
    ///
    /// - Throws: ``MessageBeastError/Kind/stopped`` if the engine was stopped before or during the pass; the error of
    ///   the pass.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (number, task) = try state.withLock { state in
            guard !state.isStopped else { throw Self.stopped }
            let task = Task { try await body() }
            state.last += 1
            // Under the lock: the closures are only stored.
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
            // A request that was cancelled because the engine stopped is not a failure of the service.
            throw Self.stopped
        }
    }

    /// Cancels all passes. New ones are rejected.
    ///
    /// - Returns: Functions that each wait for the end of one pass.
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
