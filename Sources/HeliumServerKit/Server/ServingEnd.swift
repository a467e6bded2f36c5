internal import HeliumConcurrency
internal import Synchronization

/// The end of serving: its own, or the moment until which a stopped server waits for requests that do not end.
final class ServingEnd: Sendable {
    private enum State {
        case pending(CheckedContinuation<Void, any Error>?)
        case settled(Result<Void, any Error>)
    }

    private let state = Guarded(State.pending(nil))

    /// Waits for the end. For one caller.
    func value() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let settled = state.withLock { state -> Result<Void, any Error>? in
                if case .settled(let result) = state { return result }
                state = .pending(continuation)
                return nil
            }
            if let settled { continuation.resume(with: settled) }
        }
    }

    /// Ends the wait.
    ///
    /// - Returns: whether this was the first end
    @discardableResult
    func settle(_ result: Result<Void, any Error>) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Void, any Error>?) in
            guard case .pending(let waiting) = state else { return (false, nil) }
            state = .settled(result)
            return (true, waiting)
        }
        waiting?.resume(with: result)
        return isFirst
    }
}
