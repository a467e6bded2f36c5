public import HeliumWebSocket

/// The options of a live socket.
public struct CosmSocketOptions: Sendable {
    /// The connection options: TLS, proxy, pings, limits, clock and random source.
    ///
    /// Raw TCP uses the timeouts and limits of these options. In place of pings it reads a subscribed resource.
    ///
    /// Default: those of `WebSocketOptions`, with at most 5,000 messages and 16 MiB per second on average. Further
    /// messages stay in the network's buffers and are not lost. The limit prevents a server that sends constantly from
    /// occupying a whole core.
    public var connection: WebSocketOptions = {
        var options = WebSocketOptions()
        options.limits.messagesPerSecond = 5_000
        options.limits.bytesPerSecond = 16 << 20
        return options
    }()

    /// The delays between attempts to connect. Default: at most 0.5 seconds at first, growing to at most 30 seconds,
    /// without a limit on attempts (Docs/Protocols/Cosm.md §14.4). A subscription that the server refuses for now is
    /// requested again after the same delays, on the same connection.
    public var backoff = BackoffPolicy()

    /// The timeout of the response to a request. Default: 10 seconds. If a subscription exceeds it, or any
    /// request over raw TCP, the connection is closed and a new one is made.
    public var replyTimeout: Duration = .seconds(10)

    /// The timeout of a new subscription, including connecting and the server's confirmation. Default: 30 seconds.
    ///
    /// A request waits for a connection, and on raw TCP for the responses to the requests before it, for at most this
    /// time.
    public var subscribeTimeout: Duration = .seconds(30)

    /// The time that the connection stays open after the last subscription has ended. Default: 5 seconds.
    public var grace: Duration = .seconds(5)

    /// Creates options with the default values.
    public init() {}
}
