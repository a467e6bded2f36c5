/// Down-sampling that preserves the appearance of a line: largest triangle, three buckets.
///
/// All points except the first and the last are divided into buckets with equal numbers of points. Of each bucket, the
/// point is kept that forms the largest triangle with the previously kept point and the mean of the next bucket. The
/// kept points are points of the series, never means. (S. Steinarsson, "Downsampling Time Series for Visual
/// Representation", 2013.)
enum LargestTriangles {
    /// Returns the indices of the kept points, ascending: at most `count`, but at least 3 of 3 or more points.
    static func indices(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        count: Int
    ) -> [Int] {
        let total = times.count
        guard total > max(count, 3) else { return Array(0..<total) }
        let buckets = max(count, 3) - 2
        let width = Double(total - 2) / Double(buckets)
        func start(_ bucket: Int) -> Int { bucket < buckets ? 1 + Int(Double(bucket) * width) : total - 1 }
        var result: [Int] = []
        result.reserveCapacity(buckets + 2)
        result.append(0)
        var chosen = 0
        for bucket in 0..<buckets {
            let range = start(bucket)..<start(bucket + 1)
            // The bucket after the last one contains only the last point.
            let next = range.upperBound..<(bucket + 1 < buckets ? start(bucket + 2) : total)
            chosen = largest(times, values, range, from: chosen, to: mean(times, values, next, since: times[chosen]))
            result.append(chosen)
        }
        result.append(total - 1)
        return result
    }

    /// Returns the mean of points. Its time is in microseconds after `origin`.
    private static func mean(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        _ range: Range<Int>,
        since origin: Int64
    ) -> (time: Double, value: Double) {
        var time = 0.0
        var value = 0.0
        for index in range {
            time += Double(times[index] &- origin)
            value += values[index]
        }
        let count = Double(range.count)
        return (time / count, value / count)
    }

    private static func largest(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        _ range: Range<Int>,
        from chosen: Int,
        to next: (time: Double, value: Double)
    ) -> Int {
        let (origin, value) = (times[chosen], values[chosen])
        let rise = next.value - value
        // For values near the limits of `Double`, areas are infinite or NaN, which never compare as larger: the first
        // point is kept.
        var (best, largest) = (range.lowerBound, -1.0)
        for index in range {
            let area = abs(Double(times[index] &- origin) * rise - next.time * (values[index] - value))
            if area > largest {
                largest = area
                best = index
            }
        }
        return best
    }
}

extension SeriesPoints {
    /// Returns at most a number of the points, chosen so that a line through them looks like the line through all
    /// points.
    ///
    /// Uses the algorithm "largest triangle, three buckets".
    ///
    /// Gaps are ignored. A chart down-samples each run between two gaps separately.
    ///
    /// - Parameter count: The number of points to keep. At least 3 of 3 or more points are kept.
    public func largestTriangles(_ count: Int) -> [SeriesPoint] {
        let points = FlatPoints(self)
        return points.withBuffers { times, values in
            LargestTriangles.indices(times, values, count: count).map {
                SeriesPoint(time: SeriesTime(microseconds: times[$0]), value: values[$0])
            }
        }
    }
}

/// The points of a series in two arrays, which are faster to iterate than columns.
struct FlatPoints {
    private var times: [Int64] = []
    private var values: [Double] = []

    init(_ points: SeriesPoints) {
        times.reserveCapacity(points.count)
        values.reserveCapacity(points.count)
        points.forEachColumn {
            times.append(contentsOf: $0)
            values.append(contentsOf: $1)
        }
    }

    func withBuffers<Result>(
        _ body: (UnsafeBufferPointer<Int64>, UnsafeBufferPointer<Double>) throws -> Result
    ) rethrows -> Result {
        try times.withUnsafeBufferPointer { times in try values.withUnsafeBufferPointer { try body(times, $0) } }
    }
}
