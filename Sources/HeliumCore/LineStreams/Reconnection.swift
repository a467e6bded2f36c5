/// Decides what follows when a connection of an event stream is over: a value without I/O.
package struct Reconnection: Sendable {
    /// What to do now.
    package enum Step: Hashable, Sendable {
        /// Connect again after this time.
        case wait(Duration)
        /// Let the sequence end.
        case finish
        /// Let the sequence fail: with the connection's failure, or because the server keeps hanging up.
        case fail
    }

    /// The shortest wait: a server that says `retry: 0` can't make a client spin.
    package static let shortestDelay = Duration.milliseconds(100)

    /// Failures in a row.
    package private(set) var failures = 0

    private let policy: ReconnectPolicy
    private var isAlive = false

    package init(_ policy: ReconnectPolicy) { self.policy = policy }
}

extension Reconnection {
    /// Bytes have arrived: the connection works, comments are life too.
    package mutating func received() {
        isAlive = true
        failures = 0
    }

    /// The server has ended the stream in order.
    ///
    /// - Parameters:
    ///   - retry: How long the server wants clients to wait.
    ///   - random: Chance, between 0 and 1.
    package mutating func ended(retry: Duration?, random: Double) -> Step {
        guard policy.isEnabled else { return .finish }
        if isAlive {
            isAlive = false
            return .wait(delay(retry: retry, random: random))
        }
        return countFailure() ? .wait(delay(retry: retry, random: random)) : .fail
    }

    /// The connection broke, or there was none.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - retry: How long the server wants clients to wait.
    ///   - now: The wall-clock time, for a `Retry-After` that is a date.
    ///   - random: Chance, between 0 and 1.
    package mutating func failed(
        _ failure: HeliumError,
        retry: Duration?,
        now: Duration,
        random: Double
    ) -> Step {
        guard policy.isEnabled, failure.isTransient else { return .fail }
        isAlive = false
        guard countFailure() else { return .fail }
        return .wait(max(delay(retry: retry, random: random), failure.retryAfter(now: now) ?? .zero))
    }

    /// Counts one more failure in a row; `false` if that is one too many.
    private mutating func countFailure() -> Bool {
        failures += 1
        return policy.maximumFailures.map { failures < $0 } ?? true
    }

    /// The server's time, or ours; from the second failure in a row more, by chance, up to doubling with each.
    private func delay(retry: Duration?, random: Double) -> Duration {
        let base = max(retry ?? policy.delay, Self.shortestDelay)
        guard failures > 1, policy.maximumDelay > base else { return base }
        let longest = Backoff.ceiling(afterFailures: failures, first: base, maximum: policy.maximumDelay)
        return base + (longest - base) * min(max(random, 0), 1)
    }
}

extension HeliumError {
    /// The pause that the server asked for, an hour at most.
    ///
    /// - Parameter now: The wall-clock time.
    fileprivate func retryAfter(now: Duration) -> Duration? {
        head.flatMap { ServerDelay.read(from: $0, now: now) }.map { min($0, ServerSentEventParser.longestRetry) }
    }
}
