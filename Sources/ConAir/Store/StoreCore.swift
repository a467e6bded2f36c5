internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// Everything of a store that changes, behind its lock. Decisions are made here; I/O is done outside.
struct StoreCore: Sendable {
    var points = SeriesPoints()
    /// The number of the last batch.
    var number = 0
    var state = TimeSeriesState()
    var serverTime = ServerTimeEstimate()

    /// The collection in progress, and who waits for it.
    var flight: Flight?
    var waiters: Set<Int> = []
    var lastWaiter = 0

    var run: PollingRun?
    var lastRun = 0
    var period: Duration
    var backoff: Backoff
    /// The uptime of the last success.
    var lastSuccess: Duration?

    /// Whether the cache has been read.
    var hasReadCache = false
    var unsaved = UnsavedPoints()

    init(options: TimeSeriesStore.Options) {
        period = Self.bounded(options.pollingPeriod)
        backoff = Self.backoff(period: period, maximumDelay: options.maximumDelay)
    }

    /// A period that does not overload anybody, and can be multiplied.
    static func bounded(_ period: Duration) -> Duration { min(max(period, .milliseconds(100)), .seconds(366 * 86_400)) }

    static func backoff(period: Duration, maximumDelay: Duration) -> Backoff {
        var policy = BackoffPolicy()
        policy.firstDelay = period * 2
        policy.maximumDelay = maximumDelay
        policy.maximumServerDelay = maximumDelay
        return Backoff(policy)
    }

    /// Takes what has to be written to the cache; `nil` if that is nothing.
    mutating func takeUnsaved() -> UnsavedPoints? {
        defer { unsaved = UnsavedPoints() }
        guard unsaved.isBehind else { return unsaved.isEmpty ? nil : unsaved }
        // Older points that are only in the cache must stay there until it has been read.
        return UnsavedPoints(points: Array(points), boundary: hasReadCache ? points.first?.time : nil)
    }

    var snapshot: SeriesSnapshot { SeriesSnapshot(number: number, points: points) }

    /// Sets the phase by what is in progress.
    mutating func updatePhase() {
        state.phase = flight != nil ? .collecting : run != nil ? .waiting : .idle
        state.isPolling = run != nil
        if run == nil { (state.isStale, state.nextAttempt) = (false, nil) }
    }
}

/// One collection, which any number of callers wait for.
final class Flight: Sendable {
    let outcome = Signal<CollectSummary>()
    private let task = Guarded<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

    /// Keeps the task that does the work. Cancels it if the flight was cancelled before.
    func keep(_ new: Task<Void, Never>) {
        let isCancelled = task.withLock { state in
            state.task = new
            return state.isCancelled
        }
        if isCancelled { new.cancel() }
    }

    /// Ends the request.
    func cancel() {
        let running = task.withLock { state in
            state.isCancelled = true
            return state.task
        }
        running?.cancel()
    }
}

/// A time of polling, from its start to a stop, a restart or a new period.
struct PollingRun: Sendable {
    let id: Int
    /// The uptime at which polling was started.
    let start: Duration
    /// The number by which the run waits for the collection in progress.
    var waiter: Int?
    var tasks: [Task<Void, Never>] = []

    func cancel() { for task in tasks { task.cancel() } }
}

/// The changes that the cache does not have yet.
struct UnsavedPoints: Sendable {
    var points: [SeriesPoint] = []
    var boundary: SeriesTime?
    /// Whether a write has failed, so that all points have to be written.
    var isBehind = false

    var isEmpty: Bool { points.isEmpty && boundary == nil }

    mutating func add(_ decision: MergeDecision, oldest: SeriesTime?) {
        points += decision.inserted
        points += decision.replaced
        if !decision.removed.isEmpty { boundary = oldest ?? SeriesTime(microseconds: .max) }
    }
}
