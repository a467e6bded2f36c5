internal import HeliumConcurrency
public import HeliumCore
internal import Synchronization

/// A series that is polled from a source, limited in size, and observable.
///
/// ```swift
/// let source = try ConAirHTTPSource(url: url)
/// let store = try TimeSeriesStore(source: source, step: .seconds(120))
/// store.startPolling()
/// for await update in store.updates { print(update) }
/// ```
///
/// The first collection reads the last 24 hours. Each later collection reads from two steps before the newest point to
/// the current time of the server, and stores new and corrected points. A point that is missing from a later reply is
/// kept.
///
/// A store can be shared between tasks. Polling ends with ``stopPolling()``, or when the store is released.
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
    /// Held while the cache is written, so that writes are in the order of the changes.
    let cacheLock = AsyncLock()

    /// The options of a store.
    public struct Options: Hashable, Sendable {
        /// The delay between two polls. Each delay is up to 10 % shorter or longer, so that clients do not synchronize.
        /// Default: 10 seconds. Minimum: 100 milliseconds.
        public var pollingPeriod = Duration.seconds(10)

        /// The length of the first window of a store without points. At least two steps are read. Default: 24 hours.
        public var initialSpan = Duration.seconds(86_400)

        /// The time at which the first window of a store without points starts, even if the first reply is late.
        /// Default: `nil`, which starts ``initialSpan`` before the current time of the server.
        public var initialStart: SeriesTime?

        /// The number of steps before the newest point that are read again for corrections. Default: 2.
        public var overlap = 2

        /// The limits of kept points. Default: 400 days and 1,000,000 points.
        public var retention = SeriesRetention()

        /// The maximum delay after consecutive failures. Default: 5 minutes. A delay that the service requests
        /// (`Retry-After`), of up to an hour, is added to it.
        public var maximumDelay = Duration.seconds(300)

        /// Creates the default options.
        public init() {}
    }

    /// Creates a store without points. No I/O is done.
    ///
    /// - Parameters:
    ///   - source: The source of the points.
    ///   - step: The distance of two points: a positive whole number of milliseconds. ``ConAirHTTPSource`` requires
    ///     whole seconds.
    ///   - options: The options of the store.
    ///   - cache: The cache that keeps points across restarts. Default: `nil`, no cache.
    ///   - clock: The local clock. Default: the system clock.
    ///   - random: The random source for jitter. Default: the system's.
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
            throw ConAirError(.invalidStep, "invalid step \(step): use a whole number of milliseconds")
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

    /// The maximum number of batches that are buffered for a listener of ``updates``.
    static let updateLimit = 64
}

// MARK: Reading

extension TimeSeriesStore {
    /// The current points. Access is cheap, because the columns are shared.
    public var points: SeriesPoints { core.withLock { $0.points } }

    /// The points and the number of the last batch.
    public var snapshot: SeriesSnapshot { core.withLock { $0.snapshot } }

    /// The current activity of the store and the outcome of its last attempts.
    public var state: TimeSeriesState { stateValue.value }

    /// The current state and all later ones, for one listener. If more than 64 are buffered, the oldest are dropped.
    public var states: AsyncStream<TimeSeriesState> { stateValue.stream }

    /// The points and all of their changes. Each iterator is a separate listener.
    public var updates: SeriesUpdates {
        SeriesUpdates(
            subscribe: { [weak self] in
                // Under the lock, so that the listener does not miss a batch.
                self.map { store in
                    store.core.withLock { core in
                        SeriesUpdates.Subscription(first: core.snapshot, changes: store.batches.stream())
                    }
                }
            },
            snapshot: { [weak self] in self?.snapshot }
        )
    }

    /// The statistics of all points; `nil` if there are none. Reads each point once.
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
