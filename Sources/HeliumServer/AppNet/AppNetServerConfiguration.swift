/// How the embedded server's App.net (REST, OAuth and streams, and pnut's dialect) behaves. Sections are those of the
/// App.net protocol page.
public struct AppNetServerConfiguration: Sendable {
    /// Users, apps and their tokens. With a store, what was made there stays, and what is named here is added.
    /// Default: two users and one app (``AppNetAccounts/standard``).
    public var accounts = AppNetAccounts.standard
    /// The origins whose pages may read responses in a browser (CORS), such as `http://localhost:3000`; `*` allows all.
    /// Default: none. The standard accounts' passwords are public, so that with `*` any page that is open in a browser on this
    /// machine can sign in and read the token.
    public var allowedOrigins: Set<String> = []
    /// Limits on requests (§1.7). Default: those of the page, told in the headers and not enforced.
    public var rateLimits = AppNetRateLimits()
    /// The port of the user streams' WebSocket (§2.14); 0 takes a free one, which the ready line tells. Default: 0.
    public var webSocketPort = 0
    /// What passes without an event before a stream over chunked HTTP gets an empty frame (§2.13). Default: 20 seconds.
    public var keepAlive: Duration = .seconds(20)
    /// The time of day. Default: the machine's.
    public var clock = ServerClock.system
    /// Ceilings on what is kept and on what may be open.
    public var maxima = AppNetMaxima()

    /// The defaults named at each property.
    public init() {}
}

extension AppNetServerConfiguration {
    /// Throws ``EmbeddedServerError`` for values that no server can run with.
    func validate() throws(EmbeddedServerError) {
        func require(_ condition: Bool, _ text: String) throws(EmbeddedServerError) {
            if !condition { throw EmbeddedServerError(.invalidConfiguration, text) }
        }
        try accounts.validate()
        try maxima.validate()
        for origin in allowedOrigins {
            try require(
                CrossOriginPolicy.isOrigin(origin),
                "an allowed origin of App.net is * or scheme, host and port in lower case, such as http://localhost:3000"
            )
        }
        try require((0...65535).contains(webSocketPort), "port \(webSocketPort) is not between 0 and 65535")
        try require(
            keepAlive > .zero && keepAlive <= .seconds(86_400),
            "App.net's keepAlive is positive, at most a day"
        )
        for (name, limit) in rateLimits.named {
            try require(
                limit.requests > 0 && (1...1440).contains(limit.minutes),
                "App.net's limit \(name) allows at least one request in 1 to 1440 minutes"
            )
        }
    }
}
