/// The points of a series, in the order of their times, without duplicate times.
///
/// Times and values are stored in columns of up to 1,024 points, with 16 bytes per point. Copies share columns: taking
/// a snapshot of a million points copies a thousand references, and then changing one point copies one column of 16
/// KiB.
///
/// ```swift
/// let lastHour = store.points.window(now.advanced(by: .seconds(-3600))..<now)
/// for point in lastHour { print(point.time, point.value) }
/// ```
public struct SeriesPoints: Sendable {
    struct Column: Sendable {
        var times: [Int64] = []
        var values: [Double] = []
    }

    /// The maximum number of points of a column.
    static let columnLimit = 1024

    /// The columns, in order. No column is empty.
    var columns: [Column] = []

    /// The number of points. Access takes constant time.
    public internal(set) var count = 0

    /// Creates an empty series.
    public init() {}

    /// Creates a series from points in any order. If several have the same time, the last one counts.
    public init(_ points: some Sequence<SeriesPoint>) {
        var assembly = PointAssembly()
        for point in points { assembly.add(point) }
        append(contentsOf: assembly.sorted()[...])
    }
}

extension SeriesPoints: BidirectionalCollection {
    /// The position of a point. It is valid until the points change.
    public struct Index: Hashable, Comparable, Sendable {
        let column: Int
        let row: Int

        /// Returns whether the left position is before the right one.
        public static func < (left: Index, right: Index) -> Bool {
            (left.column, left.row) < (right.column, right.row)
        }
    }

    /// The position of the first point.
    public var startIndex: Index { Index(column: 0, row: 0) }

    /// The position after the last point.
    public var endIndex: Index { Index(column: columns.count, row: 0) }

    /// Returns the position after another.
    public func index(after index: Index) -> Index {
        index.row + 1 < columns[index.column].times.count
            ? Index(column: index.column, row: index.row + 1) : Index(column: index.column + 1, row: 0)
    }

    /// Returns the position before another.
    public func index(before index: Index) -> Index {
        index.row > 0
            ? Index(column: index.column, row: index.row - 1)
            : Index(column: index.column - 1, row: columns[index.column - 1].times.count - 1)
    }

    /// Returns the point at a position.
    public subscript(index: Index) -> SeriesPoint {
        let column = columns[index.column]
        return SeriesPoint(time: SeriesTime(microseconds: column.times[index.row]), value: column.values[index.row])
    }
}

// MARK: Finding

extension SeriesPoints {
    /// Returns the position of the first point at or after a time; `endIndex` if all points are before it.
    public func index(atOrAfter time: SeriesTime) -> Index {
        let microseconds = time.microseconds
        var (low, high) = (0, columns.count)
        while low < high {
            let middle = (low + high) / 2
            // Columns are never empty.
            if columns[middle].times[columns[middle].times.count - 1] < microseconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < columns.count else { return endIndex }
        return Index(column: low, row: columns[low].row(atOrAfter: microseconds))
    }

    /// Returns the newest point at or before a time; `nil` if there is none.
    public func point(atOrBefore time: SeriesTime) -> SeriesPoint? {
        let index = index(atOrAfter: time)
        if index < endIndex, self[index].time == time { return self[index] }
        return index > startIndex ? self[self.index(before: index)] : nil
    }

    /// Returns the value at exactly a time; `nil` if there is no point.
    public func value(at time: SeriesTime) -> Double? {
        let index = index(atOrAfter: time)
        guard index < endIndex, case let point = self[index], point.time == time else { return nil }
        return point.value
    }

    /// Returns the points from the lower bound, inclusive, to the upper bound, exclusive.
    ///
    /// Columns inside the window are shared. At most two columns are copied.
    public func window(_ range: Range<SeriesTime>) -> SeriesPoints {
        let (start, end) = (index(atOrAfter: range.lowerBound), index(atOrAfter: range.upperBound))
        var result = SeriesPoints()
        guard start < end else { return result }
        for index in start.column...Swift.min(end.column, columns.count - 1) {
            let first = index == start.column ? start.row : 0
            let last = index == end.column ? end.row : columns[index].times.count
            guard first < last else { continue }
            result.columns.append(columns[index].rows(first..<last))
            result.count += last - first
        }
        return result
    }

    /// Calls `body` with the times, in microseconds since 1970, and the values of each column. This is the fastest way
    /// to iterate over many points.
    package func forEachColumn(_ body: (UnsafeBufferPointer<Int64>, UnsafeBufferPointer<Double>) throws -> Void)
        rethrows
    {
        for column in columns {
            try column.times.withUnsafeBufferPointer { times in
                try column.values.withUnsafeBufferPointer { try body(times, $0) }
            }
        }
    }
}

extension SeriesPoints.Column {
    /// Returns the first row at or after a time.
    func row(atOrAfter microseconds: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < microseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns some of the rows. All rows are shared; fewer rows are copied.
    func rows(_ range: Range<Int>) -> Self {
        range.count == times.count ? self : Self(times: Array(times[range]), values: Array(values[range]))
    }
}

extension SeriesPoints: Equatable, CustomStringConvertible {
    /// Returns whether both have the same points, regardless of their division into columns.
    public static func == (left: SeriesPoints, right: SeriesPoints) -> Bool {
        left.count == right.count && left.elementsEqual(right)
    }

    /// The number of points, and the first and the last time.
    public var description: String {
        guard let first, let last else { return "0 points" }
        return "\(count) points, \(first.time) to \(last.time)"
    }
}
