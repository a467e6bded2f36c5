/// The limits of the age and the number of points that a ``TimeSeriesStore`` keeps.
///
/// Points beyond either limit are removed, oldest first, from the store and from its cache. A store that was inactive
/// for more steps than it keeps points only reads as many steps as it keeps points. The earlier steps would look like a
/// gap, so the first new point removes all older points.
public struct SeriesRetention: Hashable, Sendable {
    /// The maximum age of a point. Default: 400 days.
    public var age: Duration = .seconds(400 * 86_400)

    /// The maximum number of points. Default: 1,000,000, which take 16 MB.
    public var count = 1_000_000

    /// Creates the default limits.
    public init() {}

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - age: The maximum age of a point.
    ///   - count: The maximum number of points. At least 1 point is kept.
    public init(age: Duration, count: Int) {
        self.age = age
        self.count = count
    }

    /// Returns the earliest time of a point that may be kept.
    func cutoff(at now: SeriesTime) -> SeriesTime { now.advanced(by: .zero - max(age, .zero)) }
}
