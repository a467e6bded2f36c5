/// The time limits of the phases of a transfer. `nil` switches a limit off.
///
/// When a limit expires, the call fails with ``FailureKind/timedOut`` and names the ``TransferPhase``.
public struct PhaseTimeouts: Hashable, Sendable {
    /// The limit for the wait in the client's queue (``ConcurrencyLimits``), and for the wait for a free connection
    /// after it. Each may take this long. Default: 15 seconds.
    public var queue: Duration? = .seconds(15)

    /// The limit for name look-up, TCP and TLS handshakes together. Default: 10 seconds.
    public var connect: Duration? = .seconds(10)

    /// The limit from an established connection to the first byte of the response. Default: 30 seconds.
    ///
    /// A body that is read while it is sent (such as ``RequestContent/file(at:contentType:)``) may take longer than
    /// that. For such a request, the limit counts from the moment at which its last byte was passed to the system.
    public var firstByte: Duration? = .seconds(30)

    /// The longest time between two arrivals of body bytes. Time in which the consumer of a stream pauses the transfer
    /// does not count. Default: 30 seconds.
    ///
    /// While a body is sent that is read at the same time, it is the longest time in which the system accepts no byte.
    /// Time in which the body's source has no bytes does not count. This is checked once per limit, so a stall is
    /// noticed after one to two limits.
    public var idle: Duration? = .seconds(30)

    /// The limit for the whole call: registration, all attempts, the delays between them, and the last body byte; for a
    /// stream, until its head has arrived. Default: 60 seconds, like the `defaultTimeout` of the original library.
    public var total: Duration? = .seconds(60)

    /// Creates the default limits.
    public init() {}
}
