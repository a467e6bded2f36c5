public import HeliumWebSocket

/// How a live socket is kept.
public struct CosmSocketOptions: Sendable {
    /// How each connection is made and watched: TLS, proxy, pings, ceilings, clock and chance. Over raw TCP its time limits
    /// and ceilings count, and in place of pings something is read that is subscribed to.
    ///
    /// Default: those of `WebSocketOptions`, and at most 5,000 messages and 16 MiB per second on average. More are held back
    /// in the network, and none is lost: a server that sends without end does not cost a whole core.
    public var connection: WebSocketOptions = {
        var options = WebSocketOptions()
        options.limits.messagesPerSecond = 5_000
        options.limits.bytesPerSecond = 16 << 20
        return options
    }()

    /// How long to wait before connecting again. Default: up to 0.5 seconds first, up to 30 in the end, for ever (§14.4).
    public var backoff = BackoffPolicy()

    /// How long the server may take to answer a request. Default: 10 seconds. A server that takes longer over a subscription
    /// loses the connection, and another is made.
    public var replyTimeout: Duration = .seconds(10)

    /// How long a new subscription waits until the server has confirmed it, connecting included. Default: 30 seconds.
    public var subscribeTimeout: Duration = .seconds(30)

    /// How long the connection stays when nothing is subscribed any more. Default: 5 seconds.
    public var grace: Duration = .seconds(5)

    /// The defaults.
    public init() {}
}
