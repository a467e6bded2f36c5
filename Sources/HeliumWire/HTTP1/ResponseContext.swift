/// The properties of a request that determine whether its response has a body (RFC 9112 §6.3).
package struct ResponseContext: Hashable, Sendable {
    /// Whether the method is HEAD, whose response has no body.
    package var isHead: Bool
    /// Whether the method is CONNECT, after whose success the connection is a tunnel.
    package var isConnect: Bool

    package init(isHead: Bool = false, isConnect: Bool = false) {
        self.isHead = isHead
        self.isConnect = isConnect
    }

    /// Creates the context of a request with this method.
    package init(method: String) { self.init(isHead: method == "HEAD", isConnect: method == "CONNECT") }
}
