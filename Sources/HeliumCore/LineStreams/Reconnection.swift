/// Decides what happens when a connection of an event stream has ended. It performs no I/O.
package struct Reconnection: Sendable {
    /// The next step.
    package enum Step: Hashable, Sendable {
        /// Connect again after this delay.
        case wait(Duration)
        /// End the sequence.
        case finish
        /// Make the sequence fail: with the connection's error, or because the server keeps closing connections.
        case fail
    }

    /// The minimum delay. It prevents a busy loop if a server sends `retry: 0`.
    package static let shortestDelay = Duration.milliseconds(100)

    /// The number of failures in a row.
    package private(set) var failures = 0

    private let policy: ReconnectPolicy
    private var isAlive = false

    package init(_ policy: ReconnectPolicy) { self.policy = policy }
}

extension Reconnection {
    /// Records that bytes have arrived, so the connection works. Comments count too.
    package mutating func received() {
        isAlive = true
        failures = 0
    }

    /// Decides after the server has ended the stream normally.
    ///
    /// - Parameters:
    ///   - retry: The delay that the server requests.
    ///   - random: A random number between 0 and 1.
    package mutating func ended(retry: Duration?, random: Double) -> Step {
        guard policy.isEnabled else { return .finish }
        if isAlive {
            isAlive = false
            return .wait(delay(retry: retry, random: random))
        }
        return countFailure() ? .wait(delay(retry: retry, random: random)) : .fail
    }

    /// Decides after the connection failed or could not be established.
    ///
    /// - Parameters:
    ///   - failure: The error.
    ///   - retry: The delay that the server requests.
    ///   - now: The wall-clock time, for a `Retry-After` that is a date.
    ///   - random: A random number between 0 and 1.
    package mutating func failed(
        _ failure: HeliumError,
        retry: Duration?,
        now: Duration,
        random: Double
    ) -> Step {
        guard policy.isEnabled, failure.isTransient else { return .fail }
        isAlive = false
        guard countFailure() else { return .fail }
        return .wait(max(delay(retry: retry, random: random), failure.requestedDelay(now: now) ?? .zero))
    }

    /// Counts one more failure in a row. Returns `false` if the maximum is reached.
    private mutating func countFailure() -> Bool {
        failures += 1
        return policy.maximumFailures.map { failures < $0 } ?? true
    }

    /// Returns the server's delay, or the policy's. From the second failure in a row it adds a random part of a ceiling
    /// that doubles with each failure.
    private func delay(retry: Duration?, random: Double) -> Duration {
        let base = max(retry ?? policy.delay, Self.shortestDelay)
        guard failures > 1, policy.maximumDelay > base else { return base }
        let longest = Backoff.ceiling(afterFailures: failures, first: base, maximum: policy.maximumDelay)
        return base + (longest - base) * min(max(random, 0), 1)
    }
}
