/// The settings of an event stream.
public struct ServerSentEventOptions: Sendable {
    /// The policy for connecting again. Default: ``ReconnectPolicy/standard``.
    public var reconnects = ReconnectPolicy.standard

    /// The id of the event to continue from, which the first connection sends as `Last-Event-ID`. Default: `nil`, so
    /// the server decides at which event it starts.
    public var lastEventID: String?

    /// The maximum number of bytes of one line. Default: 4 MiB. A longer line fails with
    /// ``FailureKind/ceilingExceeded`` and ``Ceiling/lineBytes``.
    public var lineBytes = 4 << 20

    /// The maximum number of bytes of one event's data. Default: 4 MiB. A larger event fails like a longer line.
    public var eventBytes = 4 << 20

    /// The source of random numbers for the jitter of delays. Default: the system's generator.
    public var random = RandomSource.system

    /// Creates the default options.
    public init() {}
}

/// The policy of an event stream for connecting again.
public struct ReconnectPolicy: Hashable, Sendable {
    let isEnabled: Bool

    /// The delay before connecting again, until the server sends another one with `retry`. Default: 3 seconds.
    public var delay: Duration = .seconds(3)

    /// The maximum of the delay after repeated failures. The second failure in a row doubles the ceiling of the delay,
    /// the third doubles it again, and the part above the first delay is multiplied by a random fraction. Default: 60
    /// seconds. It never shortens a delay that the server requests.
    public var maximumDelay: Duration = .seconds(60)

    /// The number of failures in a row after which the sequence fails with the last error; `nil` for no maximum.
    /// Default: 10.
    ///
    /// A connection on which at least one byte of the body arrived resets the count. A connection without any bytes
    /// counts as a failure, even if it ended normally.
    public var maximumFailures: Int? = 10

    /// Creates the default policy, which connects again whenever that may help.
    public init() { isEnabled = true }

    private init(isEnabled: Bool) { self.isEnabled = isEnabled }

    /// Connects again whenever that may help, with the default values.
    public static let standard = Self()

    /// Connects once. The end of the stream ends the sequence, and a failure makes it fail.
    public static let never = Self(isEnabled: false)
}
