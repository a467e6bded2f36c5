public import HeliumWebSocket

/// How the connection of a stream is made and kept.
public struct StreamConnectionOptions: Sendable {
    /// How long to wait before connecting again. Default: up to 0.5 seconds first, up to 30 in the end, for ever.
    public var backoff = BackoffPolicy()

    /// How long connecting may take, the service's first word included. Default: 10 seconds.
    public var connectTimeout: Duration = .seconds(10)

    /// How long nothing may arrive, pongs and empty frames included, before the connection counts as dead. Default: 90
    /// seconds; `nil` sets no limit.
    public var silenceLimit: Duration? = .seconds(90)

    /// The most bytes of a frame. Default: 4 MiB. More ends the connection, and another is made.
    public var frameBytes = 4 << 20

    /// Frames and keep-alive lines per second that are read, on average. Default: 5,000; `nil` sets no limit. More are held
    /// back in the network, and none is lost: a server that sends without end does not cost a whole core.
    public var framesPerSecond: Int? = 5_000

    /// Bytes per second that are read, in the same way. Default: 16 MiB; `nil` sets no limit.
    public var bytesPerSecond: Int? = 16 << 20

    /// The defaults.
    public init() {}
}
