/// The address of the server as clients use it.
package struct ServerAddress: Hashable, Sendable {
    /// The host as in a URL: an IPv6 address is in brackets, and a wildcard address is replaced.
    package let host: String
    /// The port for HTTP and WebSockets.
    package let port: Int
    package let isSecure: Bool
    /// The protocol's separate port for clients without HTTP; `nil` if there is no such port.
    package let ownPort: Int?
    /// The IP address that the server listens on; `nil` if it does not listen.
    package let boundAddress: String?

    package init(host: String, port: Int, isSecure: Bool, ownPort: Int?, boundAddress: String? = nil) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
        self.ownPort = ownPort
        self.boundAddress = boundAddress
    }

    /// The root URL, without a trailing slash.
    package var root: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

    /// The root URL for WebSockets, without a trailing slash.
    package var webSocketRoot: String { "\(isSecure ? "wss" : "ws")://\(host):\(port)" }
}
