/// The key of a series in a cache. Points of two steps are means over different periods and are never mixed.
public struct SeriesKey: Hashable, Sendable {
    /// The ``TimeSeriesSource/id`` of the source.
    public let source: String

    /// The distance of two points.
    public let step: Duration

    /// Creates a key.
    public init(source: String, step: Duration) {
        self.source = source
        self.step = step
    }
}

/// A store for points that should outlive the process. ``MemorySeriesCache`` is an implementation for tests.
/// `SQLiteSeriesCache` of the product `ConAirSQLite` stores points in a file.
///
/// A ``TimeSeriesStore`` reads its series at the first collection. Afterwards it only requests missing points from its
/// source. If reading fails, the store works without the cache and reads it again at the next collection. It writes
/// nothing before, so that a cached series has no gap that was never requested.
public protocol SeriesCache: Sendable {
    /// Returns the points of a series in the order of their times; empty if the series is unknown.
    func points(of key: SeriesKey) async throws -> [SeriesPoint]

    /// Stores points and removes old ones, atomically.
    ///
    /// - Parameters:
    ///   - points: Points in any order. The value at an existing time is replaced. If several have the same time, the
    ///     last one counts.
    ///   - boundary: The time before which points are removed; `nil` removes none.
    ///   - key: The series.
    func store(_ points: [SeriesPoint], removingBefore boundary: SeriesTime?, of key: SeriesKey) async throws
}
