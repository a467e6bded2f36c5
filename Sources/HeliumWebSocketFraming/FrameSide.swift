package import HeliumEssentials

/// The side of a WebSocket that a reader or writer works for (RFC 6455 §5.1).
///
/// A client masks every frame that it sends and a server masks none, so each side accepts only the other's form.
package enum FrameSide: Sendable {
    case client
    case server
}

/// The kind of a frame (RFC 6455 §5.2). The missing values are reserved.
package enum FrameOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue & 8 != 0 }
}

/// A message or control frame that has arrived completely.
package enum FrameEvent {
    /// A text message, validated as UTF-8, and the number of its bytes.
    case text(String, byteCount: Int)
    /// A binary message.
    case binary(Data)
    /// A ping and its payload, which the pong repeats.
    case ping([UInt8])
    case pong
    /// A close frame. `code` is `nil` if it carries none. A code that must not be sent is a ``FrameFault``.
    case close(code: UInt16?, reason: String)
}
