internal import NIOCore

/// One port of a ``LiveServer``: where it is and what is spoken on it.
struct LivePort: Sendable {
    enum Framing: Sendable {
        /// WebSocket, with TLS where the server has it. The closure decides on each handshake.
        case webSocket(@Sendable (LiveHandshake) async -> LiveAdmission)
        /// Plain TCP: the first closure makes the handler between ``LiveEvent``, ``LiveOutput`` and bytes.
        case raw(handler: @Sendable () -> any ChannelHandler, session: any LiveSession)
    }

    /// 0 takes a free one.
    let number: Int
    let framing: Framing
}

/// Ceilings of a ``LiveServer``.
struct LiveMaxima: Sendable {
    /// Open connections on all ports together.
    let connections: Int
    /// Bytes that may wait for a slow client.
    let queueBytes: Int
    /// The longest object that a client may send, in bytes.
    let objectBytes: Int
}
