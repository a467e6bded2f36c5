/// Down-sampling that preserves the appearance of a line: largest triangle, three buckets.
///
/// All points except the first and the last are divided into buckets with equal numbers of points. Of each bucket, the
/// point is kept that forms the largest triangle with the previously kept point and the mean of the next bucket. The
/// kept points are points of the series, never means. (S. Steinarsson, "Downsampling Time Series for Visual
/// Representation", 2013.)
enum LargestTriangles {
    /// Consecutive points of a series.
    typealias Points = (times: UnsafeBufferPointer<Int64>, values: UnsafeBufferPointer<Double>)

    /// Returns the indices of the kept points, ascending: at most `count`, but at least 3 of 3 or more points.
    static func indices(
        _ times: UnsafeBufferPointer<Int64>,
        _ values: UnsafeBufferPointer<Double>,
        count: Int
    ) -> [Int] {
        indices(of: times.count, count: count) { range in
            (UnsafeBufferPointer(rebasing: times[range]), UnsafeBufferPointer(rebasing: values[range]))
        }
    }

    /// Returns the indices of the kept points, ascending: at most `count`, but at least 3 of 3 or more points.
    ///
    /// - Parameters:
    ///   - total: The number of points.
    ///   - points: Returns the points of a range, which must stay valid until the second call after. It is called for
    ///     the first point, and then for each bucket and the last point, in order.
    @inline(__always)
    static func indices(of total: Int, count: Int, points: (Range<Int>) -> Points) -> [Int] {
        guard total > max(count, 3) else { return Array(0..<total) }
        let buckets = max(count, 3) - 2
        let width = Double(total - 2) / Double(buckets)
        func start(_ bucket: Int) -> Int { bucket < buckets ? 1 + Int(Double(bucket) * width) : total - 1 }
        var result: [Int] = []
        result.reserveCapacity(buckets + 2)
        result.append(0)
        let first = points(0..<1)
        var chosen = (time: first.times[0], value: first.values[0])
        var next = points(start(0)..<start(1))
        for bucket in 0..<buckets {
            let bucketPoints = next
            // The bucket after the last one contains only the last point.
            next = points(start(bucket + 1)..<(bucket + 1 < buckets ? start(bucket + 2) : total))
            let index = largest(bucketPoints, from: chosen, to: mean(next, since: chosen.time))
            chosen = (bucketPoints.times[index], bucketPoints.values[index])
            result.append(start(bucket) + index)
        }
        result.append(total - 1)
        return result
    }

    /// Returns the mean of points. Its time is in microseconds after `origin`.
    private static func mean(_ points: Points, since origin: Int64) -> (time: Double, value: Double) {
        var time = 0.0
        var value = 0.0
        for index in points.times.indices {
            time += Double(points.times[index] &- origin)
            value += points.values[index]
        }
        let count = Double(points.times.count)
        return (time / count, value / count)
    }

    /// Returns the index of the point that forms the largest triangle with the previously kept point and a mean.
    private static func largest(
        _ points: Points,
        from chosen: (time: Int64, value: Double),
        to next: (time: Double, value: Double)
    ) -> Int {
        let rise = next.value - chosen.value
        // For values near the limits of `Double`, areas are infinite or NaN, which never compare as larger: the first
        // point is kept.
        var (best, largest) = (0, -1.0)
        for index in points.times.indices {
            let area = abs(
                Double(points.times[index] &- chosen.time) * rise - next.time * (points.values[index] - chosen.value)
            )
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
        let reader = PartReader(columns)
        return points(at: LargestTriangles.indices(of: self.count, count: count) { reader.next($0.count) })
    }

    /// Returns the points at offsets, which must be ascending.
    private func points(at offsets: [Int]) -> [SeriesPoint] {
        var (column, first) = (0, 0)
        return offsets.map { offset in
            while offset - first >= columns[column].times.count {
                first += columns[column].times.count
                column += 1
            }
            return self[Index(column: column, row: offset - first)]
        }
    }
}
