/// Where and how an ``EmbeddedServer`` listens, and what it serves.
public struct EmbeddedServerConfiguration: Sendable {
    /// The address to listen on. Default: `127.0.0.1`, reachable from this machine only.
    public var host = "127.0.0.1"
    /// The TCP port; 0 takes a free one, which ``ReadyInformation`` tells. Default: 0.
    public var port = 0
    /// The path of a SQLite file that keeps devices, todos and all of Cosm and App.net over restarts, readable for its
    /// owner alone; nil keeps them in memory. Default: nil.
    public var store: String?
    /// Certificate and key for TLS 1.2 and 1.3, with HTTP/2 and HTTP/1.1 offered by ALPN; nil serves without TLS.
    /// Default: nil.
    public var tls: TLSFiles?
    /// Whether connections without TLS speak HTTP/2 from their first byte (prior knowledge, RFC 9113 section 3.3) and
    /// nothing else. Has no meaning with TLS. Default: false, HTTP/1.1.
    public var usesPriorKnowledgeHTTP2 = false
    /// Ceilings and timeouts.
    public var limits = ServerLimits()
    /// The signed REST middleware.
    public var middleware = MiddlewareConfiguration()
    /// Cosm: the v2 REST API and the live sockets.
    public var cosm = CosmConfiguration()
    /// App.net: REST, OAuth and streams, and pnut's dialect.
    public var appNet = AppNetServerConfiguration()

    /// The defaults named at each property.
    public init() {}
}

extension EmbeddedServerConfiguration {
    /// Throws ``EmbeddedServerError`` for values that no server can run with.
    func validate() throws(EmbeddedServerError) {
        func require(_ condition: Bool, _ text: String) throws(EmbeddedServerError) {
            if !condition { throw EmbeddedServerError(.invalidConfiguration, text) }
        }
        try require((0...65535).contains(port), "port \(port) is not between 0 and 65535")
        try require(!host.isEmpty, "the host is empty")
        let counts = [
            ("connections", limits.connections), ("bodyBytes", limits.bodyBytes),
            ("collectedBytes", limits.collectedBytes), ("headerFieldBytes", limits.headerFieldBytes),
            ("headerBytes", limits.headerBytes),
            ("headerFields", limits.headerFields), ("loggedRequests", limits.loggedRequests),
            ("maximumJSONBytes", middleware.maximumJSONBytes), ("maximumDevices", middleware.maximumDevices),
            ("maximumTodos", middleware.maximumTodos),
        ]
        for (name, value) in counts { try require(value > 0, "\(name) must be positive") }
        try require(
            limits.collectedBytes / 2 >= limits.bodyBytes && limits.collectedBytes >= appNet.maxima.uploadBytes,
            "collectedBytes has no room for the longest body"
        )
        let durations = [
            ("idle", limits.idle), ("firstRequest", limits.firstRequest), ("body", limits.body),
            ("shutdown", limits.shutdown),
        ]
        for (name, value) in durations {
            try require(value > .zero && value <= .seconds(86_400), "\(name) must be positive and at most a day")
        }
        try require(!middleware.secrets.isEmpty, "the middleware has no secret")
        for secret in middleware.secrets {
            try require(
                secret.id.utf8.count == 32 && secret.secret.utf8.count == 32,
                "a secret and its id have 32 characters each"
            )
        }
        for key in middleware.staticKeys {
            try require(key.value.utf8.count == 32, "a static access key has 32 characters")
        }
        try require(
            middleware.prefix.isEmpty || (middleware.prefix.hasPrefix("/") && !middleware.prefix.hasSuffix("/")),
            "the prefix starts with a slash and does not end with one"
        )
        try cosm.validate()
        try appNet.validate()
        for limit in [middleware.rateLimit] + middleware.staticKeys.map(\.rateLimit) {
            guard let limit else { continue }
            try require(
                limit.requests > 0 && (1...1440).contains(limit.minutes),
                "a rate limit allows at least one request in 1 to 1440 minutes"
            )
        }
    }
}
