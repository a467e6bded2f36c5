public import HeliumCore

extension FailureKind {
    /// The peer closed with a code that tells a failure; `HeliumError.code` is the code (RFC 6455 section 7.4).
    public static let closedByPeer = Self(rawValue: "closedByPeer")
    /// The peer broke the protocol of the connection: a reserved bit, a masked frame, text that is no UTF-8.
    public static let protocolViolated = Self(rawValue: "protocolViolated")
}

extension TransferPhase {
    /// From the connection's being ready to the answer to the upgrade request, a proxy's answer included.
    public static let upgrade = Self(rawValue: "upgrade")
    /// The peer's silence: nothing arrived, not even the answer to a ping.
    public static let silence = Self(rawValue: "silence")
    /// From the first byte of an arriving message to its last.
    public static let message = Self(rawValue: "message")
    /// Until the system has taken a message's bytes.
    public static let send = Self(rawValue: "send")
}

extension Ceiling {
    /// Bytes of one frame.
    public static let frameBytes = Self(rawValue: "frameBytes")
    /// Bytes of one message, its fragments together.
    public static let messageBytes = Self(rawValue: "messageBytes")
    /// Messages, or bytes of them, that wait to be sent.
    public static let queuedMessages = Self(rawValue: "queuedMessages")
}
