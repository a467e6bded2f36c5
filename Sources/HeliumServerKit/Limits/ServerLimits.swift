/// Limits on resources that a client can consume.
public struct ServerLimits: Sendable {
    /// The maximum number of open connections of the HTTP port, including WebSockets. Further connections wait in the
    /// system's queue until one closes. Default: 1,024.
    public var connections = 1024
    /// The maximum number of open connections of the HTTP port from one address, including WebSockets; of IPv6
    /// addresses, the first 64 bits count. Further connections are closed at once. Behind a reverse proxy all clients
    /// have its address: set it to ``connections``, or ``sharePerAddress`` to 1, there. Default: `nil`,
    /// ``sharePerAddress`` of ``connections``.
    public var connectionsPerAddress: Int?
    /// The part of each limit that one address may use, more than 0 and at most 1: of the connections, of the live
    /// connections and the sessions of the protocols, and of the viewers of a page. Of IPv6 addresses, the first 64 bits
    /// count. Behind a reverse proxy all clients have its address: set it to 1 there, and let the proxy limit them. A
    /// limit for one address, such as ``connectionsPerAddress``, takes precedence. Default: 0.75.
    public var sharePerAddress = 0.75
    /// The maximum size of a request body in bytes as it is transferred, whatever its media type. The response to a
    /// longer body is 413. The middleware's own limit for JSON bodies counts decompressed bytes
    /// (`MiddlewareConfiguration.maximumJSONBytes`). Default: 1,048,576 (1 MiB).
    public var bodyBytes = 1024 * 1024
    /// The maximum number of bytes of request bodies that all connections hold together. A body that would exceed it is
    /// read and discarded, and the response is 503 with `Retry-After`. Bodies of requests without proven credentials
    /// use at most half of it. The value must allow for two bodies of ``bodyBytes`` and for the longest upload
    /// (`AppNetMaxima.uploadBytes`). Default: 67,108,864 (64 MiB).
    public var collectedBytes = 64 * 1024 * 1024
    /// The maximum size of a single header field in bytes, name and value together. The response to a request with a
    /// longer field over HTTP/1.1 is 400, and the connection is closed. HTTP/2 has its own limit of 16 KiB for all
    /// fields. Default: 16,384.
    public var headerFieldBytes = 16 * 1024
    /// The maximum size of all header fields together in bytes. Default: 65,536.
    public var headerBytes = 64 * 1024
    /// The maximum number of header fields. Default: 100.
    public var headerFields = 100
    /// The maximum time without traffic between requests, while a connection sends a request, or while a client does
    /// not read a response. A live WebSocket without traffic for this time is pinged, and closed after the same time
    /// again. Raw TCP has no pings; such a connection may be idle between two objects. Default: 60 seconds.
    public var idle: Duration = .seconds(60)
    /// The maximum time from accepting a connection to its first complete request head, including the TLS handshake. On
    /// a live socket of Cosm, it is the maximum time to the first request with a known key. Default: 10 seconds.
    public var firstRequest: Duration = .seconds(10)
    /// The time in which a request body of any length must begin to arrive at ``bodyBytesPerSecond``, and the maximum
    /// pause in it; and the maximum time for a message or object of a live socket to arrive. Default: 30 seconds.
    public var body: Duration = .seconds(30)
    /// The minimum rate of a request body in bytes per second. A body that is slower for longer than ``body`` closes its
    /// connection; a body that is at least as fast may take any time. Bytes that arrive faster save up no more than
    /// ``body``. Default: 8,192, at which an upload of 16 MiB takes 34 minutes.
    public var bodyBytesPerSecond = 8192
    /// The time that requests in progress have to end when the server stops. Default: 5 seconds.
    public var shutdown: Duration = .seconds(5)
    /// The number of requests that the log keeps. Default: 1,000.
    public var loggedRequests = 1000

    /// Creates the limits with the defaults named at each property.
    public init() {}
}

extension ServerLimits {
    /// Checks the limits.
    ///
    /// - Throws: ``EmbeddedServerError`` for invalid values.
    func validate() throws(EmbeddedServerError) {
        try ConfigurationCheck.requirePositive([
            ("connections", connections), ("connectionsPerAddress", connectionsPerAddress ?? 1),
            ("bodyBytes", bodyBytes), ("collectedBytes", collectedBytes),
            ("headerFieldBytes", headerFieldBytes), ("headerBytes", headerBytes), ("headerFields", headerFields),
            ("loggedRequests", loggedRequests), ("bodyBytesPerSecond", bodyBytesPerSecond),
        ])
        try ConfigurationCheck.require(
            sharePerAddress > 0 && sharePerAddress <= 1,
            "sharePerAddress must be more than 0 and at most 1"
        )
        try ConfigurationCheck.require(
            collectedBytes / 2 >= bodyBytes,
            "collectedBytes must be at least twice bodyBytes"
        )
        for (name, value) in [("idle", idle), ("firstRequest", firstRequest), ("body", body), ("shutdown", shutdown)] {
            try ConfigurationCheck.require(
                value > .zero && value <= .seconds(86_400),
                "\(name) must be positive and at most a day"
            )
        }
    }
}
