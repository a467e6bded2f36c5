public import HeliumCore

extension TransferPhase {
    /// The peer's silence: nothing arrived, not even a response to a ping.
    public static let silence = Self(rawValue: "silence")
    /// The time from the first byte of a received message to its last.
    public static let message = Self(rawValue: "message")
    /// The time until the system has accepted a message's bytes.
    public static let send = Self(rawValue: "send")
}

extension Ceiling {
    /// The bytes of one frame.
    public static let frameBytes = Self(rawValue: "frameBytes")
    /// The bytes of one message with all its fragments.
    public static let messageBytes = Self(rawValue: "messageBytes")
    /// The messages that wait to be sent, or their bytes.
    public static let queuedMessages = Self(rawValue: "queuedMessages")
}
