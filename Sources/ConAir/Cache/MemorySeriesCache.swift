internal import HeliumConcurrency
internal import Synchronization

/// A cache in memory, for tests and for stores with a shorter lifetime than the process.
public final class MemorySeriesCache: SeriesCache {
    private let series = Guarded<[SeriesKey: SeriesPoints]>([:])

    /// Creates an empty cache.
    public init() {}

    /// Returns the points of a series.
    public func points(of key: SeriesKey) async -> [SeriesPoint] {
        series.withLock { Array($0[key] ?? SeriesPoints()) }
    }

    /// Stores points and removes old ones.
    public func store(_ points: [SeriesPoint], removingBefore boundary: SeriesTime?, of key: SeriesKey) async {
        series.withLock { series in
            for point in points { series[key, default: SeriesPoints()].set(point) }
            guard let boundary, let known = series[key] else { return }
            series[key] = known.window(boundary..<SeriesTime(microseconds: .max))
        }
    }
}
