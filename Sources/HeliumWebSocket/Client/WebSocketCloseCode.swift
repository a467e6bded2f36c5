import HeliumWebSocketFraming

/// Why a WebSocket was closed (RFC 6455 §7.4).
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: UInt16

    /// The code with this number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}

// MARK: Codes of RFC 6455 and its registry

extension WebSocketCloseCode {
    /// 1000: the purpose is fulfilled.
    public static let normal = Self(rawValue: 1000)
    /// 1001: a server goes down, or a page is left.
    public static let goingAway = Self(rawValue: 1001)
    /// 1002: what arrived breaks the protocol.
    public static let protocolError = Self(rawValue: 1002)
    /// 1003: a kind of message arrived that is not accepted.
    public static let unsupportedData = Self(rawValue: 1003)
    /// 1005: the close frame carried no code. Never on the wire.
    public static let noStatus = Self(rawValue: 1005)
    /// 1006: the connection ended without a close frame. Never on the wire.
    public static let abnormal = Self(rawValue: 1006)
    /// 1007: the contents do not fit the kind of message: text that is no UTF-8.
    public static let invalidPayload = Self(rawValue: 1007)
    /// 1008: the message breaks a rule of the application.
    public static let policyViolation = Self(rawValue: 1008)
    /// 1009: the message is too big.
    public static let messageTooBig = Self(rawValue: 1009)
    /// 1011: the server met an unexpected condition.
    public static let internalError = Self(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = Self(rawValue: 1012)
    /// 1013: the server is overloaded: try later.
    public static let tryAgainLater = Self(rawValue: 1013)
}

extension WebSocketCloseCode {
    /// Whether a close frame may carry the code: 1000–1003, 1007–1014, and 3000–4999 (RFC 6455 §7.4.2).
    public var isSendable: Bool { CloseCode.isSendable(rawValue) }

    /// Whether the code tells an end in order, so that messages just end: 1000, 1001 and none.
    public var isOrderly: Bool { self == .normal || self == .goingAway || self == .noStatus }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}

/// How a WebSocket ended.
public struct WebSocketClosure: Hashable, Sendable {
    /// The peer's code; ours where the peer sent none before the end; ``WebSocketCloseCode/abnormal`` where the connection
    /// broke.
    public let code: WebSocketCloseCode

    /// The reason beside the code, at most 123 bytes of text; often empty. It is the peer's: don't trust it.
    public let reason: String

    /// Whether both sides said goodbye (RFC 6455 section 7.1.4).
    public let wasClean: Bool

    init(code: WebSocketCloseCode, reason: String = "", wasClean: Bool) {
        self.code = code
        self.reason = reason
        self.wasClean = wasClean
    }

    static let abnormal = Self(code: .abnormal, wasClean: false)
}
