/// The address at which the server listens, in the form in which clients use it.
package struct ServerAddress: Hashable, Sendable {
    /// The host as it stands in a URL: an address of IPv6 in brackets, and never a wildcard.
    package let host: String
    /// The port of HTTP and of WebSockets.
    package let port: Int
    package let isSecure: Bool
    /// The port of the protocol's own, for clients without HTTP; `nil` if it has none.
    package let ownPort: Int?
    /// The IP address that the server listens on; `nil` if nothing listens.
    package let boundAddress: String?

    package init(host: String, port: Int, isSecure: Bool, ownPort: Int?, boundAddress: String? = nil) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.ownPort = ownPort
        self.boundAddress = boundAddress
    }

    /// The URL of the root, without a slash at its end.
    package var root: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

    /// The same for WebSockets.
    package var webSocketRoot: String { "\(isSecure ? "wss" : "ws")://\(host):\(port)" }
}
