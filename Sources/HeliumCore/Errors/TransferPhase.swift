/// The phases of a transfer that have a time limit of their own.
public struct TransferPhase: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The phase's name, from a fixed list: fit to be a metric's label.
    public let rawValue: String

    /// A phase by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Waiting for a connection to become free, or for another request's handshake to the same host.
    public static let queue = Self(rawValue: "queue")
    /// Name look-up, TCP and TLS handshakes.
    public static let connect = Self(rawValue: "connect")
    /// From the connection's being ready to the first byte of the answer: sending the request and waiting.
    public static let firstByte = Self(rawValue: "firstByte")
    /// Between two arrivals of body bytes.
    public static let idle = Self(rawValue: "idle")
    /// The whole call: registration, all attempts and the pauses between them.
    public static let total = Self(rawValue: "total")

    /// The phase's name.
    public var description: String { rawValue }
}
