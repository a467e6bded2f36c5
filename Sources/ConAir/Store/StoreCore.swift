internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// The mutable state of a store, behind its lock. Decisions are made here; I/O is done outside.
struct StoreCore: Sendable {
    var points = SeriesPoints()
    /// The number of the last batch.
    var number = 0
    var state = TimeSeriesState()
    var serverTime = ServerTimeEstimate()

    /// The running collection. ``waiters`` contains its waiting callers.
    var flight: Flight?
    var waiters: Set<Int> = []
    var lastWaiter = 0

    var run: PollingRun?
    var lastRun = 0
    var period: Duration
    var backoff: Backoff
    /// The uptime until which the service does not want to be polled, as it said with the last failure.
    var requestedEnd: Duration?
    /// The uptime of the last success.
    var lastSuccess: Duration?

    /// Whether the cache has been read.
    var hasReadCache = false
    var unsaved = UnsavedPoints()
    /// The newest point before a gap that was never requested; `nil` if there is none. A cache that fails at first and is
    /// read later has points from before the first window.
    var gapStart: SeriesTime?

    init(options: TimeSeriesStore.Options) {
        period = Self.bounded(options.pollingPeriod)
        backoff = Self.backoff(period: period, maximumDelay: options.maximumDelay)
    }

    /// Returns a period within limits that do not overload a server and do not overflow when multiplied.
    static func bounded(_ period: Duration) -> Duration { min(max(period, .milliseconds(100)), .seconds(366 * 86_400)) }

    static func backoff(period: Duration, maximumDelay: Duration) -> Backoff {
        var policy = BackoffPolicy()
        policy.firstDelay = period * 2
        policy.maximumDelay = maximumDelay
        return Backoff(policy)
    }

    /// Returns and clears the changes to write to the cache; `nil` if there are none, or if they must wait.
    ///
    /// They wait until the cache has been read and the gap after its points has been requested. Otherwise a store that
    /// reads the cache later would not know that the gap was never requested.
    mutating func takeUnsaved() -> UnsavedPoints? {
        guard hasReadCache, gapStart == nil, !unsaved.isEmpty else { return nil }
        defer { unsaved = UnsavedPoints() }
        return unsaved
    }

    /// Keeps changes whose write failed for the next write. Changes made in the meantime are later.
    ///
    /// Only changes are written again. Other points in the cache may be those of another process: older points, or later
    /// corrections of points that are known here.
    mutating func putBack(_ failed: UnsavedPoints) {
        let later = unsaved
        unsaved = failed
        unsaved.add(later.points)
        if later.boundary != nil || failed.boundary != nil { unsaved.remove(before: points.first?.time) }
    }

    /// Notes that the points of the cache have been added.
    ///
    /// - Parameter first: The time of the first point that was known before; `nil` if there was none.
    mutating func noteCacheRead(before first: SeriesTime?) {
        hasReadCache = true
        gapStart = first.flatMap { points.point(atOrBefore: $0.advanced(by: .microseconds(-1)))?.time }
    }

    /// Returns the time of the newest point up to which all steps have been requested; `nil` if there is no point that is
    /// not after `now`.
    func newestRequested(now: SeriesTime) -> SeriesTime? {
        points.point(atOrBefore: now).map { min($0.time, gapStart ?? $0.time) }
    }

    var snapshot: SeriesSnapshot { SeriesSnapshot(number: number, points: points) }

    /// Sets the phase according to the running work.
    mutating func updatePhase() {
        state.phase = flight != nil ? .collecting : run != nil ? .waiting : .idle
        state.isPolling = run != nil
        if run == nil { (state.isStale, state.nextAttempt) = (false, nil) }
    }
}

/// A collection that any number of callers wait for.
final class Flight: Sendable {
    let outcome = Signal<CollectSummary>()
    private let task = Guarded<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    /// Keeps the task that does the work. Cancels it if the flight is already cancelled.
    func keep(_ new: Task<Void, Never>) {
        let isCancelled = task.withLock { state in
            state.task = new
            return state.isCancelled
        }
        if isCancelled { new.cancel() }
    }

    /// Cancels the request.
    func cancel() {
        let running = task.withLock { state in
            state.isCancelled = true
            return state.task
        }
        running?.cancel()
    }
}

/// A polling run, from its start to a stop, a restart or a new period.
struct PollingRun: Sendable {
    let id: Int
    /// The uptime at which polling was started.
    let start: Duration
    /// The number with which the run waits for the running collection.
    var waiter: Int?
    /// The delay from the end of the last poll to the next one.
    var delay: Duration?
    var tasks: [Task<Void, Never>] = []

    func cancel() { for task in tasks { task.cancel() } }
}

/// The changes that are not in the cache yet.
struct UnsavedPoints: Sendable {
    /// The new and changed points. While the cache fails, they are at most as many as the known points.
    private(set) var points = SeriesPoints()
    /// The time before which points are removed; `nil` if retention removed none.
    private(set) var boundary: SeriesTime?

    var isEmpty: Bool { points.isEmpty && boundary == nil }

    /// Adds the changes of a decision.
    ///
    /// - Parameter oldest: The time of the oldest point that is still known; `nil` if there is none.
    mutating func add(_ decision: MergeDecision, oldest: SeriesTime?) {
        add(decision.inserted)
        add(decision.replaced)
        if boundary != nil || !decision.removed.isEmpty { remove(before: oldest) }
    }

    /// Adds points in the order of their times. They replace those at the same times.
    mutating func add(_ later: some Collection<SeriesPoint>) {
        for point in later { points.set(point) }
    }

    /// Removes all points before the oldest known one.
    mutating func remove(before oldest: SeriesTime?) {
        let end = SeriesTime(microseconds: .max)
        let boundary = oldest ?? end
        self.boundary = boundary
        if let first = points.first, first.time < boundary { points = points.window(boundary..<end) }
    }
}
