/// Where the time of one transfer went. Each value counts from its start; `nil` where the phase was not reached.
public struct TransferTimings: Hashable, Sendable {
    /// When the host's name was resolved; near zero on a reused connection.
    public var nameLookup: Duration?
    /// When the TCP connection was there.
    public var connect: Duration?
    /// When TLS was established; `nil` without TLS or on a reused connection.
    public var tlsHandshake: Duration?
    /// When the first byte of the answer arrived.
    public var firstByte: Duration?
    /// When the transfer ended.
    public var total: Duration?
    /// Whether the transfer ran over a connection that was there already.
    public var isConnectionReused = false

    /// No times known.
    public init() {}
}
