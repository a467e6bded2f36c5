internal import HTTPTypes

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
