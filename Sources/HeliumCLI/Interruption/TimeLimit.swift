import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// The limit of `--timeout` for a whole command, including its output.
///
/// The client's own timeout ends with the head of the response. This limit cancels the work slightly later, so that the
/// client's more specific error comes first. It ends the process if the work does not end.
struct TimeLimit: Sendable {
    let limit: Duration

    /// Runs `work`, which signals and the limit cancel.
    ///
    /// - Parameter limit: The limit; `nil` for no limit.
    /// - Throws: The error that `work` throws. ``TimeLimitExceeded`` replaces a cancellation that the limit caused.
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
        // Stays scheduled until the process ends, because output after `work` is also limited.
        CommandContext.current.forceEnd(
            .status(ExitStatus.failure),
            after: limit + .seconds(1),
            reason: "\(TimeLimitExceeded(limit: limit))"
        )
        return try await TerminationSignals.cancelling {
            let task = Task { try await work() }
            SystemProcess.queue.asyncAfter(deadline: .now() + .milliseconds(Int(limit / .milliseconds(1)) + 100)) {
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

/// The error thrown when the time of `--timeout` has passed.
struct TimeLimitExceeded: Error, CustomStringConvertible {
    let limit: Duration

    var description: String { "timedOut: not finished within \(limit) (--timeout)" }
}
