internal import HeliumConcurrency
public import HeliumCore
internal import Synchronization

/// A series that is polled from a source, kept within limits, and observed.
///
/// ```swift
/// let source = try ConAirHTTPSource(url: url)
/// let store = try TimeSeriesStore(source: source, step: .seconds(120))
/// store.startPolling()
/// for await update in store.updates { print(update) }
/// ```
///
/// The first collection reads the last 24 hours. Each later one reads from two steps before the newest point up to the
/// present time of the server, and takes over what is new or was corrected. A point that a later reply lacks stays.
///
/// A store is safe to share between tasks. Polling ends with ``stopPolling()``, or when the store is released.
public final class TimeSeriesStore: Sendable {
    /// The source of the points.
    public let source: any TimeSeriesSource

    /// The distance of two points.
    public let step: Duration

    let options: Options
    let cache: (any SeriesCache)?
    let clock: any HeliumClock
    let random: RandomSource
    let core: Guarded<StoreCore>
    let batches: Broadcast<SeriesChanges>
    let stateValue = CurrentValue(TimeSeriesState())
    /// Held while the cache is written, so that writes come in the order of the changes.
    let cacheLock = AsyncLock()

    /// Everything of a store that has a default.
    public struct Options: Hashable, Sendable {
        /// The delay between two polls. Each is up to 10 % shorter or longer, so that clients do not stay in step.
        /// Default: 10 seconds. At least 100 milliseconds.
        public var pollingPeriod = Duration.seconds(10)

        /// The length of the first window of a store without points. Default: 24 hours. At least two steps are read.
        public var initialSpan = Duration.seconds(86_400)

        /// The time at which the first window of a store without points begins, however late the first reply comes. Default:
        /// `nil`, which is ``initialSpan`` before the present time of the server.
        public var initialStart: SeriesTime?

        /// The number of steps before the newest point that are read again for corrections. Default: 2.
        public var overlap = 2

        /// The limits of the points that are kept. Default: 400 days and 1,000,000 points.
        public var retention = SeriesRetention()

        /// The maximum delay after failures in a row. Default: 5 minutes.
        public var maximumDelay = Duration.seconds(300)

        /// The defaults.
        public init() {}
    }

    /// A store without points. No I/O happens here.
    ///
    /// - Parameters:
    ///   - source: The source of the points.
    ///   - step: The distance of two points: a positive whole number of milliseconds. ``ConAirHTTPSource`` needs whole
    ///     seconds.
    ///   - options: Everything that has a default.
    ///   - cache: Where points outlive the process. Default: nowhere.
    ///   - clock: The local clock. Default: that of the machine.
    ///   - random: The source of the jitter. Default: that of the system.
    /// - Throws: ``ConAirError`` of kind ``ConAirError/Kind/invalidStep``.
    public init(
        source: any TimeSeriesSource,
        step: Duration,
        options: Options = Options(),
        cache: (any SeriesCache)? = nil,
        clock: any HeliumClock = SystemClock(),
        random: RandomSource = .system
    ) throws(ConAirError) {
        guard SeriesWindow.milliseconds(step) != nil else {
            throw ConAirError(.invalidStep, "the step is \(step): use a whole number of milliseconds")
        }
        self.source = source
        self.step = step
        self.options = options
        self.cache = cache
        self.clock = clock
        self.random = random
        batches = Broadcast(limit: Self.updateLimit)
        core = Guarded(StoreCore(options: options))
    }

    deinit {
        core.withLock { $0.run }?.cancel()
        stateValue.finish(stateValue.value)
    }

    /// The maximum number of batches that wait for a listener of ``updates``.
    static let updateLimit = 64
}

// MARK: Reading

extension TimeSeriesStore {
    /// The points, as of now. Costs next to nothing: the columns are shared.
    public var points: SeriesPoints { core.withLock { $0.points } }

    /// The points and the number of the last batch.
    public var snapshot: SeriesSnapshot { core.withLock { $0.snapshot } }

    /// What the store does, and how its last attempts ended.
    public var state: TimeSeriesState { stateValue.value }

    /// The state and all that follow, for one listener. Of more than 64 that wait, the oldest are dropped.
    public var states: AsyncStream<TimeSeriesState> { stateValue.stream }

    /// The points and all their changes. Each iterator is a listener of its own.
    public var updates: SeriesUpdates {
        SeriesUpdates(
            subscribe: { [weak self] in
                // Under the lock, so that the listener misses no batch.
                self.map { store in
                    store.core.withLock { core in
                        SeriesUpdates.Subscription(first: core.snapshot, changes: store.batches.stream())
                    }
                }
            },
            snapshot: { [weak self] in self?.snapshot }
        )
    }

    /// The figures of all points; `nil` if there are none. Reads each point once.
    public var statistics: SeriesStatistics? { SeriesStatistics(points, step: step) }

    /// The key of the series in a cache.
    var key: SeriesKey { SeriesKey(source: source.id, step: step) }

    /// The time of the local clock.
    var localTime: SeriesTime { SeriesTime(wallTime: clock.wallTime) }
}

extension TimeSeriesStore: CustomStringConvertible {
    /// The source, the step and the number of points.
    public var description: String { "TimeSeriesStore(\(source.id), \(step), \(points.count) points)" }
}
