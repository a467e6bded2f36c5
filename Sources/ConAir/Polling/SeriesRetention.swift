/// How long and how many points a ``TimeSeriesStore`` keeps.
///
/// Points beyond either limit are removed, oldest first, from the store and from its cache. A store that was away for more
/// steps than it keeps points reads only as many steps as it keeps points. The steps before those would look like a gap: the
/// first new point removes all that are older.
public struct SeriesRetention: Hashable, Sendable {
    /// The maximum age of a point. Default: 400 days.
    public var age: Duration = .seconds(400 * 86_400)

    /// The maximum number of points. Default: 1,000,000, which take 16 MB.
    public var count = 1_000_000

    /// The defaults.
    public init() {}

    /// - Parameters:
    ///   - age: The maximum age of a point.
    ///   - count: The maximum number of points; at least 1 is kept.
    public init(age: Duration, count: Int) {
        self.age = age
        self.count = count
    }

    /// The time of the oldest point that may be kept at a time.
    func cutoff(at now: SeriesTime) -> SeriesTime { now.advanced(by: .zero - max(age, .zero)) }
}
