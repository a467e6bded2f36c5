import ConAir
import Cosm
import Foundation

/// A datastream of Cosm as a series of means.
///
/// Cosm does not offer an interval of 120 seconds. This source requests Cosm's largest interval that divides the step,
/// and averages its means. Values that are text are skipped.
struct CosmSeriesSource: TimeSeriesSource {
    let api: CosmClient
    let feed: Feed.ID
    let datastream: String

    /// The URL of the datastream.
    var id: String {
        let base = api.baseURL.absoluteString
        return "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/feeds/\(feed)/datastreams/\(datastream)"
    }

    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        var means = CosmStepMeans(window: window, step: step)
        guard let times = means.times else { return SeriesReply(points: []) }
        let interval = Self.interval(dividing: step)
        let history = api.history(
            of: datastream,
            in: feed,
            from: Timestamp(microseconds: times.lowerBound.microseconds),
            to: Timestamp(microseconds: times.upperBound.microseconds),
            every: interval,
            function: interval == .everyPoint ? nil : .average
        )
        var points = history.makeAsyncIterator()
        while let point = try await points.next() {
            means.add(point.at.map { SeriesTime(microseconds: $0.microseconds) }, point.value?.double)
        }
        return means.reply(serverTime: points.date.map { SeriesTime(seconds: $0) })
    }

    /// Returns Cosm's largest interval that divides a step; all points if no interval does.
    static func interval(dividing step: Duration) -> HistoryInterval {
        let (seconds, attoseconds) = step.components
        guard attoseconds == 0 else { return .everyPoint }
        return HistoryInterval.all.last { $0.seconds > 0 && seconds.isMultiple(of: Int64($0.seconds)) } ?? .everyPoint
    }
}

/// The means of each step, computed from points in the order of their times.
///
/// The timestamp of a Cosm interval is its end, which belongs to the interval. A step of a series is identified by its
/// start.
struct CosmStepMeans {
    private let window: Range<SeriesTime>
    private let step: Int64
    private var points: [SeriesPoint] = []
    private var skippedCount = 0
    private var current: (start: SeriesTime, mean: Double, count: Double)?

    init(window: Range<SeriesTime>, step: Duration) {
        self.window = window
        self.step = max(1, Int64(step / .microseconds(1)))
    }

    /// The range of points whose means are the steps of the window; `nil` if no step starts in the window.
    var times: ClosedRange<SeriesTime>? {
        let first = (Self.floored(window.lowerBound.microseconds - 1, step) + 1) * step
        let last = Self.floored(window.upperBound.microseconds - 1, step) * step
        return first <= last ? SeriesTime(microseconds: first)...SeriesTime(microseconds: last + step) : nil
    }

    /// Adds a point. A point without a time or a number is skipped and counted.
    mutating func add(_ time: SeriesTime?, _ value: Double?) {
        guard let time, let value else {
            skippedCount += 1
            return
        }
        let start = SeriesTime(microseconds: Self.floored(time.microseconds - 1, step) * step)
        guard window.contains(start) else { return }
        if let open = current, open.start == start {
            let count = open.count + 1
            // Averages incrementally, because the sum of large values may be infinite.
            current = (start, open.mean + (value / count - open.mean / count), count)
        } else {
            close()
            current = (start, value, 1)
        }
    }

    private mutating func close() {
        if let open = current { points.append(SeriesPoint(time: open.start, value: open.mean)) }
    }

    /// Returns the means so far.
    ///
    /// - Parameter serverTime: The time at the server. Default: `nil`, unknown.
    func reply(serverTime: SeriesTime? = nil) -> SeriesReply {
        var all = self
        all.close()
        return SeriesReply(points: all.points, skippedCount: skippedCount, serverTime: serverTime)
    }

    private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
