public import HeliumWebSocket

/// The options for the connection of a stream.
public struct StreamConnectionOptions: Sendable {
    /// The delays before reconnecting. By default they are at most 0.5 seconds at first and at most 30 seconds later,
    /// without a limit on attempts.
    public var backoff = BackoffPolicy()

    /// The timeout for connecting, including the first data from the service. The default is 10 seconds.
    public var connectTimeout: Duration = .seconds(10)

    /// The time without incoming data, including pongs and empty frames, after which the connection is considered lost.
    ///
    /// The default is 90 seconds. `nil` disables the limit.
    public var silenceLimit: Duration? = .seconds(90)

    /// The maximum size of a frame, in bytes. A larger frame ends the connection, and the stream reconnects. The
    /// default is 4 MiB.
    public var frameBytes = 4 << 20

    /// The average number of frames and keep-alive lines that are read per second. Others are held back in the network,
    /// and none is lost, so a server that sends endlessly does not use a whole core.
    ///
    /// The default is 5,000. `nil` disables the limit.
    public var framesPerSecond: Int? = 5_000

    /// The average number of bytes that are read per second, limited in the same way. The default is 16 MiB. `nil`
    /// disables the limit.
    public var bytesPerSecond: Int? = 16 << 20

    /// Creates the default options.
    public init() {}
}

/// The options of a user stream.
public struct UserStreamOptions: Sendable {
    /// The options for its connection.
    public var connection = StreamConnectionOptions()

    /// The id of the stream's connection (Docs/Protocols/AppNet.md §2.14); App.net only.
    ///
    /// If a stream with this id is still alive, it is resumed, and another consumer of it is disconnected. The default
    /// is `nil`, which uses a random id.
    public var connectionID: String?

    /// Whether the service deletes the stream when its connection is lost. Nothing is replayed then, so missed items
    /// are only read from the lists.
    ///
    /// The default is `false`. pnut.io always deletes the stream.
    public var isAutoDeleted = false

    /// The optional members of the values in events and lists, such as annotations and HTML. The selection of items
    /// belongs to each subscription.
    ///
    /// By default only the client's own parameters apply.
    public var parameters = GeneralParameters()

    /// The timeout for a new subscription to get its list, including the time to connect. The default is 30 seconds.
    public var subscribeTimeout: Duration = .seconds(30)

    /// Creates the default options.
    public init() {}
}

/// The options of a subscription of a user stream.
public struct StreamSubscriptionOptions: Hashable, Sendable {
    /// The id of the subscription. An earlier subscription with this id on the same stream ends. The default is `nil`,
    /// which uses a random id.
    ///
    /// If the earlier one has another list of the same type, such as the replies to another post, an event of that list
    /// that is under way may still arrive. Messages of another channel are left out.
    public var subscriptionID: String?

    /// The maximum number of items in ``StreamSubscription/initial``, from 1 to 200. The default is `nil`, which uses
    /// the service's default of 20.
    public var initialCount: Int?

    /// The maximum number of updates in the buffer. One more ends the subscription with
    /// ``AppNetError/Kind/consumerTooSlow``.
    ///
    /// While the list is read again, the same number of events can be buffered in addition. The default is 1,000.
    public var bufferLimit = 1_000

    /// The number of recent items that are remembered to prevent duplicates. The default is 4,096.
    public var memory = 4_096

    /// Creates the default options.
    public init() {}
}

/// The options of an app stream.
public struct AppStreamOptions: Sendable {
    /// The options for its connection.
    public var connection = StreamConnectionOptions()

    /// Whether the service drops its buffered events for the stream at the first connection
    /// (Docs/Protocols/AppNet.md §2.13). The default is `false`.
    public var dropsBacklog = false

    /// Whether the service deletes the stream when its connection ends. The default is `false`.
    public var isAutoDeleted = false

    /// The optional members of the values (Docs/Protocols/AppNet.md §2.14). By default only the client's own parameters
    /// apply.
    public var parameters = GeneralParameters()

    /// The maximum number of events in the buffer. If it is full, nothing is read until the consumer takes events, and
    /// the service buffers them as long as it can. The default is 256.
    public var bufferLimit = 256

    /// Creates the default options.
    public init() {}
}
