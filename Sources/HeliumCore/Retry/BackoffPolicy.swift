package import HeliumConcurrency

/// The delays before further attempts after failures in a row: exponential back-off with full jitter.
///
/// Each delay is a random fraction of the current ceiling. The ceiling starts at ``firstDelay`` and doubles with each
/// failure in a row up to ``maximumDelay``. Because of the jitter, the clients of one server do not return at the same
/// time.
///
/// A connection ends the row of failures when it has lasted as long as ``maximumDelay``, or, if it proved to work,
/// twice the ceiling of the last delay. A server that accepts connections and soon closes them is contacted less and
/// less often.
///
/// A server that rejects a connection may request a delay (`Retry-After`), which is added to the back-off.
public struct BackoffPolicy: Hashable, Sendable {
    /// The ceiling of the first delay. Default: 0.5 seconds.
    public var firstDelay: Duration = .milliseconds(500)

    /// The ceiling of every delay. Default: 30 seconds.
    public var maximumDelay: Duration = .seconds(30)

    /// The longest delay that a server can ask for. A longer one is cut to this. Default: an hour, as for event
    /// streams.
    public var maximumServerDelay: Duration = .seconds(3600)

    /// The number of failures in a row after which to give up; `nil` for never. Default: `nil`.
    public var maximumFailures: Int?

    /// Creates the default policy.
    public init() {}
}

extension Backoff {
    /// Creates a back-off without failures from a policy.
    package init(_ policy: BackoffPolicy) {
        self.init(
            firstDelay: policy.firstDelay,
            maximumDelay: policy.maximumDelay,
            maximumServerDelay: policy.maximumServerDelay,
            maximumFailures: policy.maximumFailures
        )
    }
}
