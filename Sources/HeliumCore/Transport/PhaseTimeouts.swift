/// The time limits of a transfer, phase by phase. `nil` switches a limit off.
///
/// Each limit fails with ``FailureKind/timedOut`` and names its ``TransferPhase``.
public struct PhaseTimeouts: Hashable, Sendable {
    /// Waiting for the call's turn (``ConcurrencyLimits``), and then for a free connection, each at most this long.
    /// Default: 15 seconds.
    public var queue: Duration? = .seconds(15)

    /// Name look-up, TCP and TLS handshakes together. Default: 10 seconds.
    public var connect: Duration? = .seconds(10)

    /// From the connection's being ready to the first byte of the answer. Default: 30 seconds.
    ///
    /// A body that is read while it is sent (``RequestContent/file(at:contentType:)`` and the like) may take longer
    /// than that: for such a request the limit counts from when its last byte was handed over.
    public var firstByte: Duration? = .seconds(30)

    /// The longest pause between two arrivals of body bytes. Time in which the consumer of a stream holds the transfer
    /// back does not count. Default: 30 seconds.
    ///
    /// While a body is sent that is read meanwhile, it is the longest time in which the system takes none of its bytes;
    /// time in which the body's source has none does not count. As this is looked at once in each limit, such a stall
    /// is noticed after one to two limits.
    public var idle: Duration? = .seconds(30)

    /// The whole call: registration, all attempts, the pauses between them, the last body byte; for a stream, until its
    /// head is there. Default: 60 seconds, as the original's `defaultTimeout`.
    public var total: Duration? = .seconds(60)

    /// The defaults.
    public init() {}
}
