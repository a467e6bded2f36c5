internal import NIOCore

/// One port of a ``LiveServer``: where it is and what is spoken on it.
struct LivePort: Sendable {
    enum Framing: Sendable {
        /// WebSocket, with TLS where the server has it. The closure decides on each handshake.
        case webSocket(@Sendable (LiveHandshake) async -> LiveAdmission)
        /// Plain TCP in the codec's form.
        case raw(codec: @Sendable () -> any LiveCodec, session: any LiveSession)
    }

    /// 0 takes a free one.
    let number: Int
    let framing: Framing
}

/// Ceilings of a ``LiveServer``.
struct LiveMaxima: Sendable {
    /// Open connections on all ports together that have proved who they are.
    let connections: Int
    /// Open connections on all ports together that have not.
    let unauthenticatedConnections: Int
    /// Bytes that may wait for a slow client.
    let queueBytes: Int
    /// The longest object that a client may send, in bytes.
    let objectBytes: Int
}
