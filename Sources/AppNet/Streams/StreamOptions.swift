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

/// How a user stream is kept.
public struct UserStreamOptions: Sendable {
    /// How its connection is made and kept.
    public var connection = StreamConnectionOptions()

    /// The stream's name with the service (§2.14); App.net only. A stream of that name that is still alive is gone on
    /// with, and another consumer of it is thrown out. Default: `nil`, a random one.
    public var connectionID: String?

    /// Whether the service forgets the stream as soon as its connection is lost: then nothing is replayed, and what was
    /// missed is read from the lists only. Default: no. pnut.io always does.
    public var isAutoDeleted = false

    /// What the values carry: annotations, HTML and so on, of events and of what is read. Which items come is up to
    /// each subscription. Default: nothing besides what the client asks for.
    public var parameters = GeneralParameters()

    /// How long a new subscription waits for its list, connecting included. Default: 30 seconds.
    public var subscribeTimeout: Duration = .seconds(30)

    /// The defaults.
    public init() {}
}

/// How a user stream's subscription is kept.
public struct StreamSubscriptionOptions: Hashable, Sendable {
    /// Its name with the service; an earlier one of that name on the same stream ends. Default: `nil`, a random one.
    public var subscriptionID: String?

    /// How many items ``StreamSubscription/initial`` has at most, 1 to 200. Default: `nil`, the service's 20.
    public var initialCount: Int?

    /// The most updates that wait for the consumer; one more ends the subscription with
    /// ``AppNetError/Kind/consumerTooSlow``. While the list is read again, as many events wait besides. Default: 1,000.
    public var bufferLimit = 1_000

    /// How many of the last items are remembered, so that none comes twice. Default: 4,096.
    public var memory = 4_096

    /// The defaults.
    public init() {}
}

/// How an app stream is read.
public struct AppStreamOptions: Sendable {
    /// How its connection is made and kept.
    public var connection = StreamConnectionOptions()

    /// Whether the service drops what it has kept for the stream, on the first connection (§2.13). Default: no.
    public var dropsBacklog = false

    /// Whether the service deletes the stream as soon as its connection ends. Default: no.
    public var isAutoDeleted = false

    /// What the values carry (§2.14). Default: nothing besides what the client asks for.
    public var parameters = GeneralParameters()

    /// The most events that wait for the consumer; then nothing more is read until some are taken, and the service
    /// keeps them as long as it can. Default: 256.
    public var bufferLimit = 256

    /// The defaults.
    public init() {}
}
