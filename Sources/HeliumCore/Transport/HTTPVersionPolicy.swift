/// Which HTTP versions a transfer may use.
public struct HTTPVersionPolicy: Hashable, Sendable {
    package enum Choice: Hashable, Sendable { case automatic, http1, http2PriorKnowledge }

    package let choice: Choice

    /// HTTP/2 where TLS negotiates it (ALPN), else HTTP/1.1. The default.
    public static let automatic = Self(choice: .automatic)

    /// HTTP/1.1 only: for long streams and media, where one connection per transfer keeps back-pressure exact.
    public static let http1 = Self(choice: .http1)

    /// HTTP/2 without negotiation in clear text (RFC 9113 section 3.3): for servers known to speak it.
    ///
    /// The first request to an origin opens a connection. Others that come meanwhile wait for it in phase `queue`, then
    /// share it; one more is opened when it takes no more requests. These connections are never shared with requests of
    /// another policy. Over `https` HTTP/2 is negotiated (section 3.2), as with ``automatic``.
    public static let http2PriorKnowledge = Self(choice: .http2PriorKnowledge)
}
