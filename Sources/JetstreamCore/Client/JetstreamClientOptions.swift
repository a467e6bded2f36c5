public import HeliumCore
public import HeliumJSON
public import HeliumWebSocket

/// The options of a ``JetstreamClient``.
public struct JetstreamClientOptions: Sendable {
    /// The parameters of each session, for the server's application: credentials, for example. Default: none.
    public var sessionParameters: JSONObject = [:]

    /// Whether a session that can't be resumed is followed by another. Default: `true`.
    public var restartsSessionOnFatalError = true

    /// Keeps the session for the next process; `nil` for none. Default: `nil`.
    public var sessionStore: (any SessionStore)?

    /// The delays between sockets. Default: 0.25 seconds at first, then up to 30, each a random fraction of that.
    public var backoff: BackoffPolicy = {
        var policy = BackoffPolicy()
        policy.firstDelay = .milliseconds(250)
        return policy
    }()

    /// The longest time without a message before the socket is replaced (Docs/Protocols/Jetstream.md §5.5). Default: 25
    /// seconds.
    public var watchdog: Duration = .seconds(25)

    /// The longest time that a reply may take before the session is resumed, and after as long again given up
    /// (Jetstream.md §1.9). Default: 30 seconds.
    public var replyLimit: Duration = .seconds(30)

    /// The most change sets that wait to be sent or for their reply. More are refused with `ceilingExceeded`. Default: 10,000.
    public var maximumPendingChanges = 10_000

    /// The options of each WebSocket. Default: those of `WebSocketOptions`.
    public var webSocket = WebSocketOptions()

    /// The clock of all time limits. Default: the system's.
    public var clock: any HeliumClock = SystemClock()

    /// The source of random numbers for delays and ping intervals. Default: the system's.
    public var random: RandomSource = .system

    /// The defaults.
    public init() {}

    /// The settings of the connection.
    var settings: ConnectionSettings {
        var settings = ConnectionSettings()
        settings.watchdog = watchdog
        settings.replyLimit = replyLimit
        settings.maximumPendingChanges = maximumPendingChanges
        settings.restartsSession = restartsSessionOnFatalError
        settings.hasStore = sessionStore != nil
        return settings
    }
}
