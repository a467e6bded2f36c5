/// One value of a series, at one time.
public struct SeriesPoint: Hashable, Sendable {
    /// The time. Of an averaged series it is the start of the step that the value is the mean of.
    public var time: SeriesTime

    /// The value: finite in everything that a ``TimeSeriesStore`` holds.
    public var value: Double

    /// A point.
    public init(time: SeriesTime, value: Double) {
        self.time = time
        self.value = value
    }
}

extension SeriesPoint: CustomStringConvertible {
    /// `2012-12-11T20:28:00Z 21.4`.
    public var description: String { "\(time) \(value)" }
}

/// Points in the order of arrival, made into points in the order of their times, each time once.
struct PointAssembly {
    private(set) var points: [SeriesPoint] = []
    private var isAscending = true

    mutating func reserveCapacity(_ count: Int) { points.reserveCapacity(count) }

    mutating func add(_ point: SeriesPoint) {
        if let last = points.last, last.time >= point.time { isAscending = false }
        points.append(point)
    }

    /// The points in the order of their times. Of several with one time, the last added.
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
    /// The index of the first point at or after a time, in an array that is sorted.
    func index(atOrAfter time: SeriesTime) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
