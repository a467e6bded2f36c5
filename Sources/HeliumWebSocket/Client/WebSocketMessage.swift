public import Foundation

/// A message of a WebSocket, whole: fragments are joined.
public enum WebSocketMessage: Hashable, Sendable {
    /// Text; what arrives is verified UTF-8 (RFC 6455 section 8.1).
    case text(String)
    /// Bytes.
    case binary(Data)
}

extension WebSocketMessage {
    /// The text, or `nil` of a binary message.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number of payload bytes.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
