/// How an event stream is read and kept alive.
public struct ServerSentEventOptions: Sendable {
    /// Whether and when to connect again. Default: ``ReconnectPolicy/standard``.
    public var reconnects = ReconnectPolicy.standard

    /// The event to go on from, which the first connection tells the server as `Last-Event-ID`; `nil`, the default:
    /// from where the server likes.
    public var lastEventID: String?

    /// The most bytes of one line. Default: 4 MiB. A longer one fails with ``FailureKind/ceilingExceeded``, ceiling
    /// ``Ceiling/lineBytes``.
    public var lineBytes = 4 << 20

    /// The most bytes of one event's data. Default: 4 MiB. A larger one fails like a longer line.
    public var eventBytes = 4 << 20

    /// Spreads the waits of many clients. Default: the system's generator.
    public var random = RandomSource.system

    /// The defaults.
    public init() {}
}

/// Whether and when an event stream connects again.
public struct ReconnectPolicy: Hashable, Sendable {
    let isEnabled: Bool

    /// How long to wait before connecting again, until the server says otherwise by `retry`. Default: 3 seconds.
    public var delay: Duration = .seconds(3)

    /// How far repeated failures make the wait grow: the second in a row doubles it, the third doubles it again, and
    /// what was added is multiplied by chance. Default: 60 seconds. It never shortens what the server asks for.
    public var maximumDelay: Duration = .seconds(60)

    /// After how many failures in a row the sequence fails with the last of them; `nil`: never. Default: 10.
    ///
    /// A connection on which at least one byte of the body arrived ends the row. One on which nothing came counts as
    /// a failure, even if it ended in order.
    public var maximumFailures: Int? = 10

    /// The defaults: connects again whenever it may help.
    public init() { isEnabled = true }

    private init(isEnabled: Bool) { self.isEnabled = isEnabled }

    /// Connects again whenever it may help, with the defaults above.
    public static let standard = Self()

    /// Connects once: the stream's end is the sequence's, a failure its failure.
    public static let never = Self(isEnabled: false)
}
