internal import HeliumConcurrency
internal import Synchronization

/// Hands the ready information to everybody who waits for it, or the reason why it will never come.
final class ReadySignal: Sendable {
    private enum State {
        case pending([Int: CheckedContinuation<ReadyInformation, any Error>], next: Int)
        case settled(Result<ReadyInformation, any Error>)
    }

    private let state = Guarded(State.pending([:], next: 0))

    /// The information.
    ///
    /// - Throws: what ``fail(_:)`` was called with, or `CancellationError` where the waiting task is cancelled.
    func value() async throws -> ReadyInformation {
        let number = state.withLock { state -> Int in
            guard case .pending(let waiting, let next) = state else { return 0 }
            state = .pending(waiting, next: next + 1)
            return next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let settled = state.withLock { state -> Result<ReadyInformation, any Error>? in
                    // Looked at under the lock, else a cancellation in between would be missed for ever.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    switch state {
                    case .settled(let result): return result
                    case .pending(var waiting, let next):
                        waiting[number] = continuation
                        state = .pending(waiting, next: next)
                        return nil
                    }
                }
                if let settled { continuation.resume(with: settled) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<ReadyInformation, any Error>? in
                guard case .pending(var all, let next) = state else { return nil }
                let found = all.removeValue(forKey: number)
                state = .pending(all, next: next)
                return found
            }
            waiting?.resume(throwing: CancellationError())
        }
    }

    func succeed(_ information: ReadyInformation) { settle(.success(information)) }

    /// Ends all waits; has no effect on a server that is ready already.
    func fail(_ error: any Error) { settle(.failure(error)) }

    private func settle(_ result: Result<ReadyInformation, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<ReadyInformation, any Error>] in
            guard case .pending(let waiting, _) = state else { return [] }
            state = .settled(result)
            return Array(waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
