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
