/// Ceilings on everything that a client can make grow or last.
public struct ServerLimits: Sendable {
    /// The most connections of the HTTP port that are open at a time, WebSockets included; further ones wait in the system's
    /// queue until one closes. Default: 1,024.
    public var connections = 1024
    /// The longest request body as it comes over the wire, in bytes, whatever its media type; a longer one is answered
    /// with 413. The middleware's own ceiling on JSON bodies counts unpacked bytes
    /// (`MiddlewareConfiguration.maximumJSONBytes`). Default: 1,048,576 (1 MiB).
    public var bodyBytes = 1024 * 1024
    /// The bytes of request bodies that all connections together hold at a time; a body that would go beyond is read
    /// over, and its request answered with 503 and `Retry-After`. Bodies of requests that have not proved who sends them
    /// hold at most half of it. It must have room for two bodies of ``bodyBytes`` and for the longest upload
    /// (`AppNetMaxima.uploadBytes`).
    /// Default: 67,108,864 (64 MiB).
    public var collectedBytes = 64 * 1024 * 1024
    /// The longest single header field in bytes, name and value together; a request with a longer one over HTTP/1.1
    /// is answered with 400 and its connection closed. HTTP/2 has its own ceiling of 16 KiB for all fields.
    /// Default: 16,384.
    public var headerFieldBytes = 16 * 1024
    /// All header fields together in bytes. Default: 65,536.
    public var headerBytes = 64 * 1024
    /// The number of header fields. Default: 100.
    public var headerFields = 100
    /// The longest a connection may be silent between requests or while it sends one, or read nothing of an answer. A
    /// live WebSocket that is silent for so long is pinged, and closed after as long again; raw TCP, which has no pings, may
    /// be silent between two objects.
    /// Default: 60 seconds.
    public var idle: Duration = .seconds(60)
    /// The longest from accepting a connection to its first whole request head, TLS handshake included. On a live socket
    /// of Cosm: to its first request with a known key.
    /// Default: 10 seconds.
    public var firstRequest: Duration = .seconds(10)
    /// The longest a request body may take to arrive, or a message or object of a live socket. Default: 30 seconds.
    public var body: Duration = .seconds(30)
    /// How long requests in progress may take to end when the server stops. Default: 5 seconds.
    public var shutdown: Duration = .seconds(5)
    /// How many requests the log remembers. Default: 1,000.
    public var loggedRequests = 1000

    /// The defaults named at each property.
    public init() {}
}

extension ServerLimits {
    /// Checks the limits.
    ///
    /// - Throws: ``EmbeddedServerError`` for values that no server can run with.
    func validate() throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([
            ("connections", connections), ("bodyBytes", bodyBytes), ("collectedBytes", collectedBytes),
            ("headerFieldBytes", headerFieldBytes), ("headerBytes", headerBytes), ("headerFields", headerFields),
            ("loggedRequests", loggedRequests),
        ])
        try ConfigurationCheck.require(
            collectedBytes / 2 >= bodyBytes,
            "collectedBytes has no room for the longest body"
        )
        for (name, value) in [("idle", idle), ("firstRequest", firstRequest), ("body", body), ("shutdown", shutdown)] {
            try ConfigurationCheck.require(
                value > .zero && value <= .seconds(86_400),
                "\(name) must be positive and at most a day"
            )
        }
    }
}
