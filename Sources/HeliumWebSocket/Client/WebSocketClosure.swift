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
