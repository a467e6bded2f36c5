internal import HeliumCore
internal import HeliumWebSocketFraming

/// The reason why a codec can't continue: the peer's fault, and the close code that is sent to the peer.
package struct ConnectionFault: Error, Equatable {
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

extension ConnectionFault {
    /// Creates a connection fault from the fault of a frame.
    init(_ fault: FrameFault) {
        let kind: FailureKind
        var ceiling: Ceiling?
        switch fault.kind {
        case .violation, .invalidText: kind = .protocolViolated
        case .frameTooBig: (kind, ceiling) = (.ceilingExceeded, .frameBytes)
        case .messageTooBig: (kind, ceiling) = (.ceilingExceeded, .messageBytes)
        }
        self.init(
            kind: kind,
            code: WebSocketCloseCode(rawValue: fault.code),
            message: fault.message,
            ceiling: ceiling
        )
    }
}
