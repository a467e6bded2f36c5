/// Counts failures in a row and decides how long to wait after each: exponential back-off with full jitter. A value that does
/// no I/O.
package struct Backoff: Hashable, Sendable {
    private let firstDelay: Duration
    private let maximumDelay: Duration
    private let maximumServerDelay: Duration
    private let maximumFailures: Int?
    /// The number of failures in a row.
    package private(set) var failures = 0
    /// The ceiling of the last delay.
    private var lastCeiling = Duration.zero

    /// - Parameters:
    ///   - firstDelay: The ceiling of the first delay.
    ///   - maximumDelay: The ceiling of every delay.
    ///   - maximumServerDelay: The longest delay that a server can ask for.
    ///   - maximumFailures: The number of failures in a row after which to give up; `nil` for never.
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

    /// The ceiling of the delay after so many failures in a row: doubles with each, up to a maximum.
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

    /// Ends the row of failures.
    package mutating func confirm() {
        failures = 0
        lastCeiling = .zero
    }

    /// Notes that a connection has ended, which may have ended the row of failures.
    ///
    /// It has if it lasted as long as the maximum delay. A connection that proved to work needs only twice the ceiling of the
    /// delay before it: a server that accepts, responds and hangs up is not called again without a pause.
    package mutating func lasted(_ time: Duration, provedToWork: Bool) {
        if time >= maximumDelay || (provedToWork && time >= lastCeiling * 2) { confirm() }
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - random: A random number between 0 and 1.
    ///   - asked: The delay that the server asks for. The back-off is added, so that not all clients return at once.
    /// - Returns: The delay before the next attempt; `nil` to give up.
    package mutating func failed(random: Double, asked: Duration? = nil) -> Duration? {
        failures += 1
        if let maximumFailures, failures >= maximumFailures { return nil }
        lastCeiling = Self.ceiling(afterFailures: failures, first: firstDelay, maximum: maximumDelay)
        return Self.bounded(min(asked ?? .zero, maximumServerDelay)) + lastCeiling * min(max(random, 0), 1)
    }

    /// Not negative, and at most a century, which can be doubled without overflow.
    private static func bounded(_ delay: Duration) -> Duration { min(max(delay, .zero), .seconds(100 * 366 * 86_400)) }
}
