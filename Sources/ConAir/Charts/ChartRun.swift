/// Points without a gap between them.
public struct ChartRun: Sendable, Equatable {
    /// The value range behind a point that represents several points.
    public struct Band: Sendable, Equatable {
        /// The time of the point.
        public internal(set) var time: SeriesTime

        /// The smallest and the largest value of the represented points.
        public let values: ClosedRange<Double>
    }

    /// The points of the line: at least one.
    public internal(set) var points: [SeriesPoint]

    /// The bands behind the line; empty if the line contains all points.
    public internal(set) var bands: [Band] = []

    mutating func move(by duration: Duration) {
        for index in points.indices { points[index].time = points[index].time.advanced(by: duration) }
        for index in bands.indices { bands[index].time = bands[index].time.advanced(by: duration) }
    }
}

extension ChartRun {
    /// Returns the runs of points, down-sampled if there are more than `maximum` points.
    ///
    /// The result has at most about two and a half times the maximum number of points, regardless of the number of
    /// gaps.
    static func runs(_ points: SeriesPoints, step: Duration, maximum: Int) -> [ChartRun] {
        let maximum = max(maximum, 8)
        let longest = SeriesPoints.longestDistance(step: step)
        return FlatPoints(points).withBuffers { times, values in
            let ranges = ranges(times, longest: longest)
            if times.count > maximum, ranges.count > maximum / 4 { return crowded(times, values, ranges, maximum) }
            return ranges.map { range in
                let times = UnsafeBufferPointer(rebasing: times[range])
                let values = UnsafeBufferPointer(rebasing: values[range])
                // Each run gets its share, but enough points to have a shape.
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
            // The band reaches to the neighboring remaining points, so that bands have no holes between them.
            let first = position > 0 ? indices[position - 1] : index
            let last = position + 1 < indices.count ? indices[position + 1] : index
            let band = Band(time: SeriesTime(microseconds: times[index]), values: extent(values[first...last]))
            run.bands.append(band)
        }
        return run
    }

    /// Returns the runs of points with more gaps than can be distinguished.
    ///
    /// A run at least as long as one of `maximum / 2` equal time spans becomes a line. Shorter runs would be a few
    /// pixels wide. Of these, the extremes of each span remain as dots.
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
