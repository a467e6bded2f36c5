internal import AppNet
internal import HeliumConcurrency
internal import HeliumCore

/// Retries reads of the service that fail for a temporary reason.
struct ReadAttempts: Sendable {
    let context: EngineContext

    private static let maximumDelay = Duration.seconds(300)

    /// Makes a request that does not change anything on the service.
    ///
    /// - Throws: The `AppNetError` of the last attempt, or `CancellationError`.
    func callAsFunction<Value: Sendable>(_ request: () async throws -> Value) async throws -> Value {
        var failures = 0
        while true {
            do {
                return try await request()
            } catch let error as AppNetError {
                failures += 1
                guard failures < context.options.maximumReadAttempts, let delay = delay(after: error, failures) else {
                    throw error
                }
                try await context.clock.sleep(for: delay)
            }
        }
    }

    /// Returns the delay before the next attempt; `nil` if there is no next attempt.
    private func delay(after error: AppNetError, _ failures: Int) -> Duration? {
        guard [.retry, .unknown].contains(context.options.failureClasses(error)) else { return nil }
        let asked = error.rateLimit?.retryAfter ?? .zero
        guard asked <= Self.maximumDelay else { return nil }
        return max(asked, Self.delay(afterFailures: failures, random: context.random.unit()))
    }

    /// Returns the delay after a number of failures: 1 s · 2ⁿ, at most 300 s, with 20 % jitter.
    static func delay(afterFailures failures: Int, random: Double) -> Duration {
        Backoff.ceiling(afterFailures: failures, first: .seconds(1), maximum: maximumDelay) * (0.8 + 0.4 * random)
    }
}
