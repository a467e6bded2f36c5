/// How long to wait before connecting again: exponential, with full jitter.
///
/// A wait is chance times a ceiling. The ceiling begins with ``firstDelay`` and doubles with each failure in a row up to
/// ``maximumDelay``, so that many clients of one server don't come back at once.
///
/// A connection ends the row of failures when it has lasted: as long as ``maximumDelay``, or, if it proved to work, twice the
/// ceiling of the last wait. A server that accepts connections and soon ends them is asked again and again more slowly.
///
/// A server that refuses a connection may say when to come again (`Retry-After`): that time is waited as well.
public struct BackoffPolicy: Hashable, Sendable {
    /// The ceiling of the first wait. Default: 0.5 seconds.
    public var firstDelay: Duration = .milliseconds(500)

    /// The ceiling of every wait. Default: 30 seconds.
    public var maximumDelay: Duration = .seconds(30)

    /// The longest a server can make us wait; where it asks for more, that long. Default: an hour, as for event streams.
    public var maximumServerDelay: Duration = .seconds(3600)

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

    /// The ceiling of the last wait.
    private var lastCeiling = Duration.zero

    /// Something succeeds: the row of failures is over.
    package mutating func confirm() {
        failures = 0
        lastCeiling = .zero
    }

    /// A connection that was open for `time` is over: whether it ends the row of failures.
    ///
    /// It does if it lasted as long as the longest wait. One that proved to work needs only twice the ceiling of the wait
    /// before it: a server that accepts, answers and hangs up is not asked again without a pause.
    package mutating func lasted(_ time: Duration, provedToWork: Bool) {
        if time >= policy.maximumDelay || (provedToWork && time >= lastCeiling * 2) { confirm() }
    }

    /// The connection is over, or there was none.
    ///
    /// - Parameters:
    ///   - random: Chance, between 0 and 1.
    ///   - asked: How long the server asks to wait. The back-off comes on top, so that not all come back at once.
    /// - Returns: How long to wait before the next; `nil` to give up.
    package mutating func failed(random: Double, asked: Duration? = nil) -> Duration? {
        failures += 1
        if let maximum = policy.maximumFailures, failures >= maximum { return nil }
        let longest = Self.sensible(policy.maximumDelay)
        var ceiling = min(max(policy.firstDelay, .zero), longest)
        var doublings = failures - 1
        while doublings > 0, ceiling > .zero, ceiling < longest {
            ceiling *= 2
            doublings -= 1
        }
        lastCeiling = min(ceiling, longest)
        let floor = Self.sensible(min(asked ?? .zero, policy.maximumServerDelay))
        return floor + min(ceiling, longest) * min(max(random, 0), 1)
    }

    /// A century is for ever, and can be doubled without overflow.
    private static func sensible(_ delay: Duration) -> Duration { min(max(delay, .zero), .seconds(100 * 366 * 86_400)) }
}
