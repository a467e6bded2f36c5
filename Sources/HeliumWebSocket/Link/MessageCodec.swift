internal import NIOCore

/// An item that a codec finds in the received bytes.
enum DecodedItem {
    /// A message, and the number of bytes that it counts for.
    case message(WebSocketMessage, byteCount: Int)
    /// A ping, which is answered with the same bytes.
    case ping(ByteBuffer)
    case pong
    /// The peer's close message.
    case close(WebSocketClosure)
}

/// The format of messages in a stream of bytes, in both directions. It performs no I/O.
///
/// All formats share one type of message, and no type that carries messages is generic. Methods of generic classes that
/// NIO calls are not specialized, and looking up their types at run time would be the largest cost.
protocol MessageCodec {
    /// Takes the next item from `bytes`. Returns `nil` if more bytes are needed.
    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> DecodedItem?

    /// Whether a message has begun and is not complete.
    var isWithinMessage: Bool { get }

    /// The maximum number of bytes by which an encoded message is longer than its contents.
    var overhead: Int { get }

    mutating func write(_ message: WebSocketMessage, to out: inout ByteBuffer)

    /// Writes a ping. Returns `false` if the format has none.
    mutating func writePing(to out: inout ByteBuffer) -> Bool

    mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer)

    /// Writes a close message that the peer will answer. Returns `false` if the format has none, so that the connection
    /// is just ended.
    mutating func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteBuffer) -> Bool
}
