/// How many calls a client has under way at once, and how many may wait for their turn.
///
/// A client talks to one API, so this is the limit of that host. Calls beyond ``maximumConcurrent`` wait in the order they
/// came; beyond ``maximumQueued`` they fail at once with ``FailureKind/ceilingExceeded``, ``Ceiling/queuedRequests`` and
/// ``DeliveryState/notSent``: overload shows as fast failure, not as slow death. The wait counts as phase
/// ``TransferPhase/queue``. A streamed answer counts until its body has ended.
public struct ConcurrencyLimits: Hashable, Sendable {
    /// The most calls under way. Default: 1,024.
    public var maximumConcurrent = 1024

    /// The most calls that wait. Default: 8,192.
    public var maximumQueued = 8192

    /// The defaults.
    public init() {}

    /// Limits.
    public init(maximumConcurrent: Int, maximumQueued: Int) {
        self.maximumConcurrent = maximumConcurrent
        self.maximumQueued = maximumQueued
    }
}
