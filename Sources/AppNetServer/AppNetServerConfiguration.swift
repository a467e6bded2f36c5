public import HeliumServerKit

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
    /// What passes without an event before a stream over chunked HTTP gets an empty frame (§2.13). Default: 20 seconds.
    public var keepAlive: Duration = .seconds(20)
    /// The time of day. Default: the machine's.
    public var clock = ServerClock.system
    /// Ceilings on what is kept and on what may be open.
    public var maxima = AppNetMaxima()

    /// The defaults named at each property.
    public init() {}
}

extension AppNetServerConfiguration: ServerProtocolConfiguration {
    package func validate(limits: ServerLimits) throws(EmbeddedServerError) {
        try accounts.validate()
        try maxima.validate()
        try ConfigurationCheck.require(
            limits.collectedBytes >= maxima.uploadBytes,
            "collectedBytes has no room for the longest body"
        )
        for origin in allowedOrigins {
            try ConfigurationCheck.require(
                CrossOriginPolicy.isOrigin(origin),
                "an allowed origin of App.net is * or scheme, host and port in lower case, such as http://localhost:3000"
            )
        }
        try ConfigurationCheck.require(
            keepAlive > .zero && keepAlive <= .seconds(86_400),
            "App.net's keepAlive is positive, at most a day"
        )
        for (name, limit) in rateLimits.named { try limit.validate(as: "App.net's limit \(name)") }
    }
}
