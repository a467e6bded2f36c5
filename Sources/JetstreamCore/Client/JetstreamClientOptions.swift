internal import HeliumConcurrency
public import HeliumCore
public import HeliumJSON
public import HeliumWebSocket

/// The options of a ``JetstreamClient``.
public struct JetstreamClientOptions: Sendable {
    /// The parameters of each session for the server's application, for example credentials. Default: empty.
    public var sessionParameters: JSONObject = [:]

    /// Whether a session that cannot be resumed is followed by a new one. Default: `true`.
    public var restartsSessionOnFatalError = true

    /// The store that keeps the session for the next process. Default: `nil`, no store.
    public var sessionStore: (any SessionStore)?

    /// The delays between connection attempts. Default: a random fraction of a ceiling that grows from 0.25 to 30
    /// seconds.
    public var backoff: BackoffPolicy = {
        var policy = BackoffPolicy()
        policy.firstDelay = .milliseconds(250)
        return policy
    }()

    /// The maximum time without a message before the socket is replaced (Docs/Protocols/Jetstream.md §5.5). Default: 25
    /// seconds. More than a century counts as a century.
    public var watchdog: Duration = .seconds(25)

    /// The timeout of a reply, after which the session is resumed. After a second timeout the session is abandoned
    /// (Docs/Protocols/Jetstream.md §1.9). Default: 30 seconds. More than a century counts as a century.
    public var replyLimit: Duration = .seconds(30)

    /// The maximum number of unsettled change sets of all scopes. Further ones are rejected with `ceilingExceeded`. A
    /// scope may have a lower maximum of its own: ``Scope/maximumPendingChangeSets``. Default: 10,000.
    public var maximumPendingChanges = 10_000

    /// The options of each WebSocket. Default: the defaults of `WebSocketOptions`.
    public var webSocket = WebSocketOptions()

    /// The clock for all timeouts. Default: the system clock.
    public var clock: any HeliumClock = SystemClock()

    /// The random source for delays and ping intervals. Default: the system's.
    public var random: RandomSource = .system

    /// Creates the default options.
    public init() {}

    /// The settings of the connection.
    var settings: ConnectionSettings {
        var settings = ConnectionSettings()
        // Both are added to times.
        settings.watchdog = watchdog.withinCentury
        settings.replyLimit = replyLimit.withinCentury
        settings.maximumPendingChanges = maximumPendingChanges
        settings.restartsSession = restartsSessionOnFatalError
        settings.hasStore = sessionStore != nil
        return settings
    }
}

extension JetstreamClientOptions: CustomReflectable {
    /// The settings without the session's parameters and store, which may contain credentials.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "restartsSessionOnFatalError": restartsSessionOnFatalError, "backoff": backoff, "watchdog": watchdog,
                "replyLimit": replyLimit, "maximumPendingChanges": maximumPendingChanges, "webSocket": webSocket,
            ],
            displayStyle: .struct
        )
    }
}
