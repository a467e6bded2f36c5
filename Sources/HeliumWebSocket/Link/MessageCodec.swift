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
/// NIO calls are not specialized, and looking up their types at run time would be the largest cost. Codecs are classes,
/// because a structure of this size would be copied out of its box each time that a property is read.
protocol MessageCodec: AnyObject {
    /// Takes the next item from `bytes`. Returns `nil` if more bytes are needed.
    func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> DecodedItem?

    /// Whether a message has begun and is not complete.
    var isWithinMessage: Bool { get }

    /// The maximum number of bytes by which an encoded message is longer than its contents.
    var overhead: Int { get }

    func write(_ message: WebSocketMessage, to out: inout ByteBuffer)

    /// Writes a ping. Returns `false` if the format has none.
    func writePing(to out: inout ByteBuffer) -> Bool

    func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer)

    /// Writes a close message that the peer will answer. Returns `false` if the format has none, so that the connection
    /// is just ended.
    func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteBuffer) -> Bool
}
