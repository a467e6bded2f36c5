/// The reason why a peer's frames can't be read any further.
package struct FrameFault: Error, Equatable {
    package enum Kind: Equatable, Sendable {
        /// The peer violated RFC 6455.
        case violation
        /// Text that is not UTF-8.
        case invalidText
        /// A frame is longer than allowed.
        case frameTooBig
        /// A message is longer than allowed, its fragments together.
        case messageTooBig
    }

    package let kind: Kind
    /// The close code for the peer (RFC 6455 §7.4.1).
    package let code: UInt16
    package let message: String

    static func violation(_ message: String) -> Self {
        Self(kind: .violation, code: CloseCode.protocolError, message: message)
    }

    static func invalidText(_ what: String) -> Self {
        Self(kind: .invalidText, code: CloseCode.invalidPayload, message: "\(what) is not UTF-8")
    }

    static func frameTooBig(limit: Int) -> Self {
        Self(kind: .frameTooBig, code: CloseCode.messageTooBig, message: "a frame has more than \(limit) bytes")
    }

    static func messageTooBig(limit: Int) -> Self {
        Self(kind: .messageTooBig, code: CloseCode.messageTooBig, message: "a message has more than \(limit) bytes")
    }
}

/// The close codes as numbers (RFC 6455 §7.4).
package enum CloseCode {
    package static let normal: UInt16 = 1000
    package static let goingAway: UInt16 = 1001
    package static let protocolError: UInt16 = 1002
    package static let unsupportedData: UInt16 = 1003
    package static let invalidPayload: UInt16 = 1007
    package static let policyViolation: UInt16 = 1008
    package static let messageTooBig: UInt16 = 1009
    package static let tryAgainLater: UInt16 = 1013

    /// Returns whether a close frame may carry the code: 1000–1003, 1007–1014 and 3000–4999 (RFC 6455 §7.4.2).
    package static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
