import HeliumWebSocketFraming

/// The reason for which a WebSocket was closed (RFC 6455 §7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number that is sent.
    public let rawValue: UInt16

    /// Creates the code with this number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}

// MARK: Codes of RFC 6455 and its registry

extension WebSocketCloseCode {
    /// 1000: The connection has served its purpose.
    public static let normal = Self(rawValue: 1000)
    /// 1001: A server shuts down, or a page is left.
    public static let goingAway = Self(rawValue: 1001)
    /// 1002: The received data violates the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// 1003: A message of an unsupported kind arrived.
    public static let unsupportedData = Self(rawValue: 1003)
    /// 1005: The close frame had no code. It is never sent.
    public static let noStatus = Self(rawValue: 1005)
    /// 1006: The connection ended without a close frame. It is never sent.
    public static let abnormal = Self(rawValue: 1006)
    /// 1007: The contents are invalid for the kind of message, such as text that is not UTF-8.
    public static let invalidPayload = Self(rawValue: 1007)
    /// 1008: The message violates a rule of the application.
    public static let policyViolation = Self(rawValue: 1008)
    /// 1009: The message is too big.
    public static let messageTooBig = Self(rawValue: 1009)
    /// 1011: An unexpected condition occurred in the server.
    public static let internalError = Self(rawValue: 1011)
    /// 1012: The server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// 1013: The server is overloaded. Try again later.
    public static let tryAgainLater = Self(rawValue: 1013)
}

extension WebSocketCloseCode {
    /// Whether a close frame may carry the code: 1000–1003, 1007–1014, and 3000–4999 (RFC 6455 §7.4.2).
    public var isSendable: Bool { CloseCode.isSendable(rawValue) }

    /// Whether the code indicates a normal end, after which the messages end without an error: 1000, 1001, or no code.
    public var isOrderly: Bool { self == .normal || self == .goingAway || self == .noStatus }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}

/// The end of a WebSocket connection.
public struct WebSocketClosure: Hashable, Sendable {
    /// The peer's code; the code of this side if the peer sent none before the end; ``WebSocketCloseCode/abnormal`` if
    /// the connection was lost.
    public let code: WebSocketCloseCode

    /// The text beside the code, at most 123 bytes and often empty. It comes from the peer, so do not trust it.
    public let reason: String

    /// Whether both sides sent a close frame (RFC 6455 §7.1.4).
    public let wasClean: Bool

    init(code: WebSocketCloseCode, reason: String = "", wasClean: Bool) {
        self.code = code
        self.reason = reason
        self.wasClean = wasClean
    }

    static let abnormal = Self(code: .abnormal, wasClean: false)
}
