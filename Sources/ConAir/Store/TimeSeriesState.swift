/// The state of a ``TimeSeriesStore``: its activity and the outcome of its last attempts.
///
/// All times are from the local clock.
public struct TimeSeriesState: Sendable {
    /// An activity of a store.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The store is not polling, and no caller is collecting.
        case idle
        /// A request is in progress.
        case collecting
        /// The next poll is scheduled: see ``TimeSeriesState/nextAttempt``.
        case waiting
    }

    /// The current activity of the store.
    public internal(set) var phase = Phase.idle

    /// A Boolean value that indicates whether the store polls.
    public internal(set) var isPolling = false

    /// A Boolean value that indicates whether the store polls and three periods have passed without a success.
    public internal(set) var isStale = false

    /// The time of the last success; `nil` before the first.
    public internal(set) var lastSuccess: SeriesTime?

    /// The error of the last failure. It is kept after a success; ``failureCount`` is 0 if the failure is over.
    public internal(set) var lastError: (any Error)?

    /// The time of the last failure; `nil` before the first.
    public internal(set) var lastFailure: SeriesTime?

    /// The number of failures since the last success.
    public internal(set) var failureCount = 0

    /// The time of the next poll; `nil` if none is scheduled, and while a poll waits for its reply.
    public internal(set) var nextAttempt: SeriesTime?

    /// The number of elements in all replies without a readable time or a finite number.
    public internal(set) var skippedCount = 0

    /// The number of points in all replies that were dropped because they are more than an hour ahead of the server.
    public internal(set) var aheadCount = 0

    /// The error of the cache; `nil` if its last use succeeded or if there is no cache. The store works without the
    /// cache.
    public internal(set) var cacheError: (any Error)?

    /// Creates the state of a new store.
    public init() {}
}
