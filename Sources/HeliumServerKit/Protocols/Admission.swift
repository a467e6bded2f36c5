internal import HTTPTypes

/// A reason outside of any protocol why the server does not serve a request.
package enum RequestRefusal: Hashable, Sendable {
    /// 413: the body is longer than the limit.
    case bodyTooLong
    /// 503: all connections together hold as many bytes of bodies as they may (``ServerLimits/collectedBytes``).
    case noRoom

    /// The seconds after which a client may try again.
    static let retryAfter = 1
}

/// The decision on a request's body.
package enum BodyAdmission: Sendable {
    /// The body is read.
    ///
    /// - Parameters:
    ///   - maximumBytes: The longest body.
    ///   - isProved: Whether the head has proved who sends the request.
    ///   - overflow: The response to a longer body; `nil`: that to ``RequestRefusal/bodyTooLong``.
    case read(maximumBytes: Int, isProved: Bool, overflow: ServerReply? = nil)
    /// The body is not read, and the request gets this response.
    case refused(ServerReply)
}

/// The decision on a WebSocket handshake.
package enum LiveAdmission: Sendable {
    /// The connection becomes a WebSocket.
    ///
    /// - Parameter isAuthenticated: Whether the handshake has proved who the client is. If not, the session calls
    ///   ``LiveConnection/authenticate()``.
    case session(any LiveSession, isAuthenticated: Bool)
    /// The request gets this response, and the connection ends with it.
    case refused(ServerReply)

    /// The response if all live connections are taken.
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
