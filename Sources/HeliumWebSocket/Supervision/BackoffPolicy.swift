/// How long to wait before connecting again: exponential, with full jitter.
///
/// A wait is chance times a ceiling. The ceiling begins with ``firstDelay`` and doubles with each failure in a row up to
/// ``maximumDelay``, so that many clients of one server don't come back at once.
public struct BackoffPolicy: Hashable, Sendable {
    /// The ceiling of the first wait. Default: 0.5 seconds.
    public var firstDelay: Duration = .milliseconds(500)

    /// The ceiling of every wait. Default: 30 seconds.
    public var maximumDelay: Duration = .seconds(30)

    /// After how many failures in a row to give up; `nil`: never. Default: `nil`.
    public var maximumFailures: Int?

    /// The defaults.
    public init() {}
}

/// Counts failures and decides on the wait after each: a value without I/O.
package struct Backoff: Hashable, Sendable {
    private let policy: BackoffPolicy
    /// Failures in a row.
    package private(set) var failures = 0

    package init(_ policy: BackoffPolicy) { self.policy = policy }

    /// The connection works: the row of failures is over.
    package mutating func confirm() { failures = 0 }

    /// The connection is over, or there was none.
    ///
    /// - Parameter random: Chance, between 0 and 1.
    /// - Returns: How long to wait before the next; `nil` to give up.
    package mutating func failed(random: Double) -> Duration? {
        failures += 1
        if let maximum = policy.maximumFailures, failures >= maximum { return nil }
        // A century is for ever, and can be doubled without overflow.
        let longest = min(max(policy.maximumDelay, .zero), .seconds(100 * 366 * 86_400))
        var ceiling = min(max(policy.firstDelay, .zero), longest)
        var doublings = failures - 1
        while doublings > 0, ceiling > .zero, ceiling < longest {
            ceiling *= 2
            doublings -= 1
        }
        return min(ceiling, longest) * min(max(random, 0), 1)
    }
}
