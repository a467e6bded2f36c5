public import HeliumServerKit

/// The configuration of the embedded server's App.net, which includes REST, OAuth, streams and pnut's dialect. See
/// Docs/Protocols/AppNet.md.
public struct AppNetServerConfiguration: Sendable {
    /// The users, apps and tokens. If the server has a store, existing accounts are kept and those named here are
    /// added. Default: two users and one app (``AppNetAccounts/standard``).
    public var accounts = AppNetAccounts.standard
    /// The origins whose pages may read responses in a browser (CORS), such as `http://localhost:3000`; `*` allows all
    /// origins. Default: none. The passwords of the standard accounts are public: with `*`, any page that is open in a
    /// browser on this machine could sign in and read the token.
    public var allowedOrigins: Set<String> = []
    /// The rate limits (Docs/Protocols/AppNet.md §1.7). Default: the limits of that page, reported in the headers and
    /// not enforced.
    public var rateLimits = AppNetRateLimits()
    /// The time without an event after which a stream over chunked HTTP sends an empty frame (Docs/Protocols/AppNet.md
    /// §2.13). Default: 20 seconds.
    public var keepAlive: Duration = .seconds(20)
    /// The clock for the time of day. Default: the machine's clock.
    public var clock = ServerClock.system
    /// Limits on stored data and on the work that clients can cause.
    public var maxima = AppNetMaxima()

    /// Creates a configuration with the defaults named at each property.
    public init() {}
}

extension AppNetServerConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try accounts.validate()
        try maxima.validate()
        try ConfigurationCheck.require(
            limits.collectedBytes >= maxima.uploadBytes,
            "collectedBytes must be at least uploadBytes"
        )
        for origin in allowedOrigins {
            try ConfigurationCheck.require(
                CrossOriginPolicy.isOrigin(origin),
                "an allowed origin of App.net must be * or scheme, host and port in lower case, such as http://localhost:3000"
            )
        }
        try ConfigurationCheck.require(
            keepAlive > .zero && keepAlive <= .seconds(86_400),
            "App.net's keepAlive must be positive and at most a day"
        )
        for (name, limit) in rateLimits.named { try limit.validate(as: "App.net's limit \(name)") }
    }
}
