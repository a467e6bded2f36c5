/// Counts failures in a row and computes the delay after each: exponential back-off with full jitter. It performs no
/// I/O.
package struct Backoff: Hashable, Sendable {
    private let firstDelay: Duration
    private let maximumDelay: Duration
    private let maximumServerDelay: Duration
    private let maximumFailures: Int?
    /// The number of failures in a row.
    package private(set) var failures = 0
    /// The ceiling of the last delay.
    private var lastCeiling = Duration.zero

    /// Creates a back-off without failures.
    ///
    /// - Parameters:
    ///   - firstDelay: The ceiling of the first delay.
    ///   - maximumDelay: The ceiling of every delay.
    ///   - maximumServerDelay: The longest delay that a server can request.
    ///   - maximumFailures: The number of failures in a row after which no further attempt is made; `nil` for no
    ///     maximum.
    package init(
        firstDelay: Duration,
        maximumDelay: Duration,
        maximumServerDelay: Duration,
        maximumFailures: Int?
    ) {
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.maximumServerDelay = maximumServerDelay
        self.maximumFailures = maximumFailures
    }

    /// Returns the ceiling of the delay after a number of failures in a row. It doubles with each failure, up to a
    /// maximum.
    package static func ceiling(afterFailures failures: Int, first: Duration, maximum: Duration) -> Duration {
        let maximum = bounded(maximum)
        var ceiling = min(max(first, .zero), maximum)
        var doublings = max(failures, 1) - 1
        while doublings > 0, ceiling > .zero, ceiling < maximum {
            ceiling *= 2
            doublings -= 1
        }
        return min(ceiling, maximum)
    }

    /// Resets the count of failures.
    package mutating func confirm() {
        failures = 0
        lastCeiling = .zero
    }

    /// Records that a connection has ended, and resets the count of failures if it lasted long enough.
    ///
    /// That is the case if it lasted as long as the maximum delay. A connection that proved to work needs only twice
    /// the ceiling of the delay before it, so a server that accepts, responds and closes the connection is not
    /// contacted again without a delay.
    package mutating func lasted(_ time: Duration, provedToWork: Bool) {
        if time >= maximumDelay || (provedToWork && time >= lastCeiling * 2) { confirm() }
    }

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - random: A random number between 0 and 1.
    ///   - asked: The delay that the server requests. The back-off is added to it, so that not all clients return at
    ///     once.
    /// - Returns: The delay before the next attempt; `nil` if no further attempt is made.
    package mutating func failed(random: Double, asked: Duration? = nil) -> Duration? {
        failures += 1
        if let maximumFailures, failures >= maximumFailures { return nil }
        lastCeiling = Self.ceiling(afterFailures: failures, first: firstDelay, maximum: maximumDelay)
        return Self.bounded(min(asked ?? .zero, maximumServerDelay)) + lastCeiling * min(max(random, 0), 1)
    }

    /// Returns the delay limited to the range from zero to a century, which can be doubled without overflow.
    private static func bounded(_ delay: Duration) -> Duration { min(max(delay, .zero), .century) }
}
