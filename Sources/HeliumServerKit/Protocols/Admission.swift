internal import HTTPTypes

/// A reason, independent of the protocol, for which the server does not serve a request.
package enum RequestRefusal: Hashable, Sendable {
    /// 413: the body is longer than the limit.
    case bodyTooLong
    /// 503: the bodies of all connections together have reached the limit (``ServerLimits/collectedBytes``).
    case noRoom

    /// The number of seconds after which a client may try again.
    static let retryAfter = 1
}

/// The decision on a request's body.
package enum BodyAdmission: Sendable {
    /// The body is read.
    ///
    /// - Parameters:
    ///   - maximumBytes: The maximum size of the body.
    ///   - isProved: Whether the head contains valid credentials.
    ///   - overflow: The response to a longer body; `nil` for the response to ``RequestRefusal/bodyTooLong``.
    case read(maximumBytes: Int, isProved: Bool, overflow: ServerReply? = nil)
    /// The body is not read, and the request gets this response.
    case refused(ServerReply)
}

/// The decision on a WebSocket handshake.
package enum LiveAdmission: Sendable {
    /// The connection becomes a WebSocket.
    ///
    /// - Parameter isAuthenticated: Whether the handshake has authenticated the client. If not, the session calls
    ///   ``LiveConnection/authenticate()``.
    case session(any LiveSession, isAuthenticated: Bool)
    /// The request gets this response, and the connection closes after it.
    case refused(ServerReply)

    /// The response when the limit of live connections is reached.
    static var full: ServerReply {
        var reply = ServerReply.text(
            .serviceUnavailable,
            "there are too many live connections\n",
            type: "text/plain; charset=utf-8"
        )
        reply.fields[.retryAfter] = "1"
        return reply
    }
}
