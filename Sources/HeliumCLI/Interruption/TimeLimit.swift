import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// The limit of `--timeout` on everything that a command does, its output included.
///
/// The client's own limit ends with the response's head. This one cancels the work a moment later, so that the client's
/// more specific error comes first, and ends the process where it goes on all the same.
struct TimeLimit: Sendable {
    let limit: Duration

    /// Does `work`, which signals and the limit cancel.
    ///
    /// - Parameter limit: `nil` sets none.
    /// - Throws: What `work` throws; ``TimeLimitExceeded`` in place of the cancellation that the limit caused.
    static func cancelling<Value: Sendable>(
        after limit: Duration?,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let limit else { return try await TerminationSignals.cancelling(work) }
        return try await TimeLimit(limit: limit).cancelling(work)
    }

    private func cancelling<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let hasPassed = Guarded(false)
        // Stays until the process ends: what is printed afterwards counts too.
        ForcedExit.schedule(after: limit + .seconds(1), reason: "\(TimeLimitExceeded(limit: limit))")
        return try await TerminationSignals.cancelling {
            let task = Task { try await work() }
            ForcedExit.queue.asyncAfter(deadline: .now() + .milliseconds(Int(limit / .milliseconds(1)) + 100)) {
                hasPassed.withLock { $0 = true }
                task.cancel()
            }
            do {
                return try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
            } catch is CancellationError where hasPassed.withLock({ $0 }) {
                throw TimeLimitExceeded(limit: limit)
            }
        }
    }
}

/// The time of `--timeout` ran out.
struct TimeLimitExceeded: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "timedOut: not done within \(limit) (--timeout)" }
}
