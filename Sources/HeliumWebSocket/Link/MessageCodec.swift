internal import NIOCore

/// What a codec finds in the bytes that arrive.
enum Arrival {
    /// A message, and how many bytes it counts for.
    case message(WebSocketMessage, byteCount: Int)
    /// A question that is answered with the same bytes.
    case ping(ByteBuffer)
    case pong
    /// The peer's goodbye.
    case close(WebSocketClosure)
}

/// How messages stand in a stream of bytes, in both directions: a value without I/O.
///
/// All forms have one type of message, and nothing that carries messages is generic: methods of generic classes that NIO
/// calls are not specialised, and looking their types up at run time would cost more than all the rest.
protocol MessageCodec {
    /// Takes the next thing out of `bytes`; `nil` when more bytes are needed.
    mutating func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> Arrival?

    /// Whether a message has begun and is not complete.
    var isWithinMessage: Bool { get }

    /// The most bytes by which a message's form on the wire is longer than its contents.
    var overhead: Int { get }

    mutating func write(_ message: WebSocketMessage, to out: inout ByteBuffer)

    /// Writes a question for a sign of life; `false` if the form has none.
    mutating func writePing(to out: inout ByteBuffer) -> Bool

    mutating func writePong(_ payload: ByteBuffer, to out: inout ByteBuffer)

    /// Writes a goodbye that the peer will answer; `false` if the form has none, and the connection just ends.
    mutating func writeClose(_ code: WebSocketCloseCode, reason: String, to out: inout ByteBuffer) -> Bool
}
