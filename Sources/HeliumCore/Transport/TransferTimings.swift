/// Where the time of one transfer went: moments in their order, each counted from when the transfer was given to the
/// transport. `nil` where a moment was not reached.
///
/// How long a phase took is the difference to the moment before.
public struct TransferTimings: Hashable, Sendable {
    /// When the wait for a connection was over: for one to become free, or for another request's handshake to the same
    /// host. As exact as a turn of the transport's loop; near zero where nothing was waited for.
    public var queue: Duration?
    /// When the host's name was resolved; `nil` on a reused connection.
    public var nameLookup: Duration?
    /// When the TCP connection was there; `nil` on a reused connection.
    public var connect: Duration?
    /// When TLS was established; `nil` without TLS or on a reused connection.
    public var tlsHandshake: Duration?
    /// When the first byte of the answer arrived.
    public var firstByte: Duration?
    /// When the transfer ended; of a stream, when its head was there.
    public var total: Duration?
    /// Whether the transfer ran over a connection that was there already.
    public var isConnectionReused = false

    /// No times known.
    public init() {}
}
