package import HeliumConcurrency

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

extension Backoff {
    /// No failures yet, by a policy.
    package init(_ policy: BackoffPolicy) {
        self.init(
            firstDelay: policy.firstDelay,
            maximumDelay: policy.maximumDelay,
            maximumServerDelay: policy.maximumServerDelay,
            maximumFailures: policy.maximumFailures
        )
    }
}
