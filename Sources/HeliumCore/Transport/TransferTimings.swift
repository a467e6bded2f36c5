/// The timings of one transfer, in the order of its phases. Each is the time since the transfer was passed to the
/// transport; `nil` if the phase was not reached.
///
/// The duration of a phase is the difference to the time before it.
public struct TransferTimings: Hashable, Sendable {
    /// The end of the wait for a connection: for one to become free, or for another request's handshake with the same
    /// host. Its precision is one turn of the transport's loop. It is near zero if there was no wait.
    public var queue: Duration?
    /// The time at which the host's name was resolved; `nil` on a reused connection.
    public var nameLookup: Duration?
    /// The time at which the TCP connection was established; `nil` on a reused connection.
    public var connect: Duration?
    /// The time at which TLS was established; `nil` without TLS or on a reused connection.
    public var tlsHandshake: Duration?
    /// The time at which the first byte of the response arrived.
    public var firstByte: Duration?
    /// The time at which the transfer ended; for a stream, at which its head had arrived.
    public var total: Duration?
    /// Whether the transfer used an existing connection.
    public var isConnectionReused = false

    /// Creates timings with unknown times.
    public init() {}
}
