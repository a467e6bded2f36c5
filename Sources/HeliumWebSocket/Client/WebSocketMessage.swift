public import Foundation

/// A complete message of a WebSocket. Fragments are joined.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text. Received text is validated UTF-8 (RFC 6455 §8.1).
    case text(String)
    /// Bytes.
    case binary(Data)
}

extension WebSocketMessage {
    /// The text; `nil` for a binary message.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number of payload bytes.
    @inlinable @inline(__always)
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
