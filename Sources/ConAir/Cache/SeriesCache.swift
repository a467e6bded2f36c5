/// The series that a cache stores points of. Points of two steps are means over different times, and never mix.
public struct SeriesKey: Hashable, Sendable {
    /// The ``TimeSeriesSource/id`` of the source.
    public let source: String

    /// The distance of two points.
    public let step: Duration

    /// A key.
    public init(source: String, step: Duration) {
        self.source = source
        self.step = step
    }
}

/// A place where points outlive the process. ``MemorySeriesCache`` is one for tests, and `SQLiteSeriesCache` of the
/// product `ConAirSQLite` one in a file.
///
/// A ``TimeSeriesStore`` reads its series when it collects for the first time, and then asks its source only for what
/// is missing.
public protocol SeriesCache: Sendable {
    /// The points of a series in the order of their times; none if it is unknown.
    func points(of key: SeriesKey) async throws -> [SeriesPoint]

    /// Stores points and removes old ones, both or neither.
    ///
    /// - Parameters:
    ///   - points: Points in any order. The value at a known time is replaced. Of several with one time, the last
    ///     counts.
    ///   - boundary: Points before this time are removed; `nil` removes none.
    ///   - key: The series.
    func store(_ points: [SeriesPoint], removingBefore boundary: SeriesTime?, of key: SeriesKey) async throws
}
