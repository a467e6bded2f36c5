/// A value of a series at a point in time.
public struct SeriesPoint: Hashable, Sendable {
    /// The time. In an averaged series, it is the start of the step over which the value is the mean.
    public var time: SeriesTime

    /// The value. All values in a ``TimeSeriesStore`` are finite.
    public var value: Double

    /// Creates a point.
    public init(time: SeriesTime, value: Double) {
        self.time = time
        self.value = value
    }
}

extension SeriesPoint: CustomStringConvertible {
    /// The time and the value: `2012-12-11T20:28:00Z 21.4`.
    public var description: String { "\(time) \(value)" }
}

/// Collects points in the order of arrival and sorts them by time, without duplicate times.
struct PointAssembly {
    private(set) var points: [SeriesPoint] = []
    private var isAscending = true

    mutating func reserveCapacity(_ count: Int) { points.reserveCapacity(count) }

    mutating func add(_ point: SeriesPoint) {
        if let last = points.last, last.time >= point.time { isAscending = false }
        points.append(point)
    }

    /// Returns the points in the order of their times. If several have the same time, the last added one is returned.
    consuming func sorted() -> [SeriesPoint] {
        if isAscending { return points }
        let order = points.indices.sorted { (points[$0].time, $0) < (points[$1].time, $1) }
        var result: [SeriesPoint] = []
        result.reserveCapacity(order.count)
        for index in order {
            if result.last?.time == points[index].time { result.removeLast() }
            result.append(points[index])
        }
        return result
    }
}

extension Array<SeriesPoint> {
    /// Returns the index of the first point at or after a time, in a sorted array.
    func index(atOrAfter time: SeriesTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
