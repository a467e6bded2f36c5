/// The statistics of a series.
///
/// ```swift
/// let statistics = SeriesStatistics(store.points, step: .seconds(120))
/// if let change = statistics?.dayChange { print(change.absolute, change.percent ?? .nan) }
/// ```
public struct SeriesStatistics: Hashable, Sendable {
    /// The newest point.
    public let latest: SeriesPoint

    /// The smallest value.
    public let minimum: Double

    /// The largest value.
    public let maximum: Double

    /// The mean of the values.
    public let mean: Double

    /// The number of points.
    public let count: Int

    /// The number of gaps: neighbors that are more than 1.5 steps apart.
    public let gapCount: Int

    /// The difference between the latest value and the value 24 elapsed hours before; `nil` if there is no point within
    /// half a step of that time.
    public let dayChange: Change?

    /// The difference between two values of a series.
    public struct Change: Hashable, Sendable {
        /// The earlier point.
        public let base: SeriesPoint

        /// The later value minus the earlier one.
        public let absolute: Double

        /// The difference as a percentage of the absolute earlier value; `nil` if that value is within 0.1 of zero.
        public let percent: Double?

        /// Computes the difference between two values.
        public init(from base: SeriesPoint, to value: Double) {
            self.base = base
            absolute = value - base.value
            percent = abs(base.value) <= 0.1 ? nil : absolute / abs(base.value) * 100
        }
    }

    /// Computes the statistics in one pass over all points.
    ///
    /// - Parameters:
    ///   - points: The points.
    ///   - step: The distance of neighbors without a gap.
    /// - Returns: `nil` if there are no points.
    public init?(_ points: SeriesPoints, step: Duration) {
        guard let latest = points.last else { return nil }
        self.latest = latest
        count = points.count
        let longest = SeriesPoints.longestDistance(step: step)
        var (minimum, maximum) = (Double.infinity, -Double.infinity)
        // The second number has the digits that the sum loses: in the sum of large values they are those that differ.
        var (sum, lost) = (0.0, 0.0)
        var (gaps, previous) = (0, Int64?.none)
        points.forEachColumn { times, values in
            for time in times {
                if let previous, time - previous > longest { gaps += 1 }
                previous = time
            }
            for value in values {
                minimum = Swift.min(minimum, value)
                maximum = Swift.max(maximum, value)
                let total = sum + value
                lost += abs(sum) >= abs(value) ? (sum - total) + value : (value - total) + sum
                sum = total
            }
        }
        self.minimum = minimum
        self.maximum = maximum
        gapCount = gaps
        let mean = (sum + lost) / Double(points.count)
        // A rounded mean may be outside the range of the values.
        self.mean = Swift.min(Swift.max(mean.isFinite ? mean : Self.mean(of: points), minimum), maximum)
        dayChange = Self.dayChange(points, latest, step)
    }

    /// Returns the mean of values whose sum overflows a `Double`.
    private static func mean(of points: SeriesPoints) -> Double {
        let count = Double(points.count)
        return points.reduce(0) { $0 + $1.value / count }
    }

    private static func dayChange(_ points: SeriesPoints, _ latest: SeriesPoint, _ step: Duration) -> Change? {
        let dayBefore = latest.time.advanced(by: .seconds(-86_400))
        let half = max(0, step.wholeMicroseconds) / 2
        let index = points.index(atOrAfter: dayBefore)
        var candidates: [SeriesPoint] = []
        if index > points.startIndex { candidates.append(points[points.index(before: index)]) }
        if index < points.endIndex { candidates.append(points[index]) }
        let distance: (SeriesPoint) -> Int64 = { abs($0.time.microseconds - dayBefore.microseconds) }
        guard let base = candidates.min(by: { distance($0) < distance($1) }), distance(base) <= half,
            base.time < latest.time
        else { return nil }
        return Change(from: base, to: latest.value)
    }
}
