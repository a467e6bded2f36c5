package import NIOCore

/// The side of a WebSocket that a reader or writer works for (RFC 6455 §5.1).
///
/// A client masks every frame that it sends and a server masks none, so each side accepts only the other's form.
package enum FrameSide: Sendable {
    case client
    case server
}

/// The kind of a frame (RFC 6455 §5.2). The values that are missing are reserved.
package enum FrameOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue & 8 != 0 }
}

/// A message or control frame that has arrived whole.
package enum FrameEvent {
    /// A text message, verified as UTF-8, and the number of its bytes.
    case text(String, byteCount: Int)
    /// A binary message.
    case binary(ByteBuffer)
    /// A ping and its payload, which the pong repeats.
    case ping(ByteBuffer)
    case pong
    /// A close frame. `code` is `nil` if it carries none; a code that must not be sent has failed before.
    case close(code: UInt16?, reason: String)
}
