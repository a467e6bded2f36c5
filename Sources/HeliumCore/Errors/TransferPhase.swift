/// The phases of a transfer that have a time limit of their own.
public struct TransferPhase: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The phase's name, from a fixed list. It is suitable as a label of a metric.
    public let rawValue: String

    /// Creates a phase from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The wait for a free connection, or for another request's handshake with the same host.
    public static let queue = Self(rawValue: "queue")
    /// The name look-up and the TCP and TLS handshakes.
    public static let connect = Self(rawValue: "connect")
    /// The time from an established connection to the first byte of the response: sending the request and waiting.
    public static let firstByte = Self(rawValue: "firstByte")
    /// The time between two arrivals of body bytes.
    public static let idle = Self(rawValue: "idle")
    /// The whole call: registration, all attempts and the delays between them.
    public static let total = Self(rawValue: "total")

    /// The phase's name.
    public var description: String { rawValue }
}
