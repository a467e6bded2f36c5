/// Points without a gap between them.
public struct ChartRun: Sendable, Equatable {
    /// What lies behind a point that stands for many.
    public struct Band: Sendable, Equatable {
        /// The time of the point.
        public internal(set) var time: SeriesTime

        /// The smallest and the largest value of the points that it stands for.
        public let values: ClosedRange<Double>
    }

    /// The points of the line: at least one.
    public internal(set) var points: [SeriesPoint]

    /// The band behind the line; empty if all points are in the line.
    public internal(set) var bands: [Band] = []

    mutating func move(by duration: Duration) {
        for index in points.indices { points[index].time = points[index].time.advanced(by: duration) }
        for index in bands.indices { bands[index].time = bands[index].time.advanced(by: duration) }
    }
}

extension ChartRun {
    /// The runs of some points, down-sampled if there are more than `maximum`.
    ///
    /// There are at most about two and a half times as many points as the maximum, however many gaps there are.
    static func runs(_ points: SeriesPoints, step: Duration, maximum: Int) -> [ChartRun] {
        let maximum = max(maximum, 8)
        let longest = SeriesPoints.longestDistance(step: step)
        return FlatPoints(points).withBuffers { times, values in
            let ranges = ranges(times, longest: longest)
            if times.count > maximum, ranges.count > maximum / 4 { return crowded(times, values, ranges, maximum) }
            return ranges.map { range in
                let times = UnsafeBufferPointer(rebasing: times[range])
                let values = UnsafeBufferPointer(rebasing: values[range])
                // Each run gets its share, and enough to have a shape.
                let share = points.count > maximum ? max(4, maximum * range.count / points.count) : range.count
                return run(times, values, share)
            }
        }
    }

    private static func ranges(_ times: UnsafeBufferPointer<Int64>, longest: Int64) -> [Range<Int>] {
        guard !times.isEmpty else { return [] }
        var ranges: [Range<Int>] = []
        var start = 0
        for index in 1..<max(times.count, 1) where times[index] - times[index - 1] > longest {
            ranges.append(start..<index)
            start = index
        }
        ranges.append(start..<times.count)
        return ranges
    }

    private static func run(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        _ count: Int
    ) -> ChartRun {
        let indices = LargestTriangles.indices(times, values, count: count)
        var run = ChartRun(points: indices.map { point(times, values, $0) })
        guard indices.count < times.count else { return run }
        run.bands.reserveCapacity(indices.count)
        for (position, index) in indices.enumerated() {
            // Up to the neighbours that stayed, so that the bands have no holes between them.
            let first = position > 0 ? indices[position - 1] : index
            let last = position + 1 < indices.count ? indices[position + 1] : index
            let band = Band(time: SeriesTime(microseconds: times[index]), values: extent(values[first...last]))
            run.bands.append(band)
        }
        return run
    }

    /// The runs of points with more gaps than can be told apart.
    ///
    /// A run as long as one of `maximum / 2` equal spans of time is a line. Of the shorter ones, which would be a few pixels
    /// wide, the extremes of each span stay as dots.
    private static func crowded(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        _ ranges: [Range<Int>],
        _ maximum: Int
    ) -> [ChartRun] {
        let first = times[0]
        let width = max(1, (times[times.count - 1] - first) / Int64(maximum / 2) + 1)
        var runs: [ChartRun] = []
        var start = 0
        func addDots(upTo end: Int) {
            var index = start
            while index < end {
                let span = (times[index] - first) / width
                var (low, high) = (index, index)
                while index < end, (times[index] - first) / width == span {
                    if values[index] < values[low] { low = index }
                    if values[index] > values[high] { high = index }
                    index += 1
                }
                let chosen = low == high ? [low] : [min(low, high), max(low, high)]
                runs += chosen.map { ChartRun(points: [point(times, values, $0)]) }
            }
        }
        for range in ranges where times[range.upperBound - 1] - times[range.lowerBound] >= width {
            addDots(upTo: range.lowerBound)
            let share = max(3, maximum * range.count / times.count)
            runs.append(
                run(UnsafeBufferPointer(rebasing: times[range]), UnsafeBufferPointer(rebasing: values[range]), share)
            )
            start = range.upperBound
        }
        addDots(upTo: times.count)
        return runs
    }

    private static func point(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        _ index: Int
    ) -> SeriesPoint {
        SeriesPoint(time: SeriesTime(microseconds: times[index]), value: values[index])
    }

    private static func extent(_ values: Slice<UnsafeBufferPointer<Double>>) -> ClosedRange<Double> {
        var (low, high) = (Double.infinity, -Double.infinity)
        for value in values {
            low = value < low ? value : low
            high = value > high ? value : high
        }
        return low...max(low, high)
    }
}
