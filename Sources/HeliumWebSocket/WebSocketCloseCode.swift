/// Why a WebSocket was closed (RFC 6455 section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt16

    /// The code with this number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}
