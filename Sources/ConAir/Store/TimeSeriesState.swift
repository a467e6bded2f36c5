/// The state of a ``TimeSeriesStore``: what it does, and how its last attempts ended.
///
/// All times are those of the local clock.
public struct TimeSeriesState: Sendable {
    /// What a store does.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// Nothing: it is not polling, and nobody collects.
        case idle
        /// A request is in progress.
        case collecting
        /// The next poll is scheduled: see ``TimeSeriesState/nextAttempt``.
        case waiting
    }

    /// What the store does now.
    public internal(set) var phase = Phase.idle

    /// A Boolean value that indicates whether the store polls.
    public internal(set) var isPolling = false

    /// A Boolean value that indicates whether the store polls and three periods have passed without a success.
    public internal(set) var isStale = false

    /// The time of the last success; `nil` before the first.
    public internal(set) var lastSuccess: SeriesTime?

    /// The error of the last failure. It stays after a success: ``failureCount`` tells whether it is over.
    public internal(set) var lastError: (any Error)?

    /// The time of the last failure; `nil` before the first.
    public internal(set) var lastFailure: SeriesTime?

    /// The number of failures since the last success.
    public internal(set) var failureCount = 0

    /// The time of the next poll; `nil` if none is scheduled.
    public internal(set) var nextAttempt: SeriesTime?

    /// The number of elements in all replies that had no readable time or no finite number.
    public internal(set) var skippedCount = 0

    /// The number of points in all replies that were dropped because they are more than an hour ahead of the server.
    public internal(set) var aheadCount = 0

    /// The error of the cache; `nil` if its last use succeeded, or there is no cache. The store goes on without it.
    public internal(set) var cacheError: (any Error)?

    /// The state of a store that has done nothing yet.
    public init() {}
}
