internal import HeliumCore

/// Why a codec can't go on: what the peer did, and the code that tells the peer so.
struct ConnectionFault: Error, Equatable {
    let kind: FailureKind
    let code: WebSocketCloseCode
    let message: String
    var ceiling: Ceiling?

    static func violation(_ message: String) -> Self {
        Self(kind: .protocolViolated, code: .protocolError, message: message)
    }

    static func invalidText(_ what: String) -> Self {
        Self(kind: .protocolViolated, code: .invalidPayload, message: "\(what) is not UTF-8")
    }

    static func tooBig(_ ceiling: Ceiling, limit: Int) -> Self {
        let what = ceiling == .frameBytes ? "a frame" : "a message"
        return Self(
            kind: .ceilingExceeded,
            code: .messageTooBig,
            message: "\(what) has more than \(limit) bytes",
            ceiling: ceiling
        )
    }
}
