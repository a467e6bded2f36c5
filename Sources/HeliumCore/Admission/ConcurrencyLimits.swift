/// The maximum number of concurrent calls of a client, and of calls that wait in its queue.
///
/// A client talks to one API, so these are the limits for that host. Calls beyond ``maximumConcurrent`` wait in order
/// of arrival. Calls beyond ``maximumQueued`` fail at once with ``FailureKind/ceilingExceeded``,
/// ``Ceiling/queuedRequests`` and ``DeliveryState/notSent``, so that overload fails fast instead of running into
/// timeouts. The wait counts as phase ``TransferPhase/queue``. A streamed response counts until its body has ended.
public struct ConcurrencyLimits: Hashable, Sendable {
    /// The maximum number of concurrent calls. Default: 1,024.
    public var maximumConcurrent: Int

    /// The maximum number of waiting calls. Default: 8,192.
    public var maximumQueued: Int

    /// Creates limits.
    public init(maximumConcurrent: Int = 1024, maximumQueued: Int = 8192) {
        self.maximumConcurrent = maximumConcurrent
        self.maximumQueued = maximumQueued
    }
}
