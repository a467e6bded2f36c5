public import HeliumCore

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
