import ConAir
import Cosm
import Foundation
import HeliumCore

/// A datastream of Cosm as a series of means.
///
/// This source reads every point and averages the points of each step. Cosm's own averages cannot be used: an interval
/// of Cosm ends at its timestamp and includes it, so a reading at the start of a step would count to the step before.
/// Every point costs a request for each 6 hours of the window and for each 1,000 points. Values that are text are
/// skipped.
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
        let history = api.history(
            of: datastream,
            in: feed,
            from: Timestamp(microseconds: times.lowerBound.microseconds),
            to: Timestamp(microseconds: times.upperBound.microseconds)
        )
        var points = history.makeAsyncIterator()
        while let point = try await points.next() {
            means.add(point.at.map { SeriesTime(microseconds: $0.microseconds) }, point.value?.double)
        }
        // Points that cannot be read are skipped too.
        for _ in 0..<points.unreadable.count { means.add(nil, nil) }
        return means.reply(serverTime: points.date.map { SeriesTime(seconds: $0) })
    }
}

/// The means of each step, computed from points in the order of their times.
///
/// A step is identified by its start, which belongs to it. Its end is the start of the next step
/// (Docs/Protocols/ConAir.md §1.1).
struct CosmStepMeans {
    private let window: Range<SeriesTime>
    private let step: Int64
    private var points: [SeriesPoint] = []
    private var skippedCount = 0
    private var current: (start: SeriesTime, mean: RunningMean)?

    init(window: Range<SeriesTime>, step: Duration) {
        self.window = window
        self.step = max(1, Int64(step / .microseconds(1)))
    }

    /// The times of the points that belong to the steps of the window; `nil` if no step starts in the window.
    var times: ClosedRange<SeriesTime>? {
        let first = (Self.floored(window.lowerBound.microseconds - 1, step) + 1) * step
        let last = Self.floored(window.upperBound.microseconds - 1, step) * step
        return first <= last ? SeriesTime(microseconds: first)...SeriesTime(microseconds: last + step - 1) : nil
    }

    /// Adds a point. A point without a time or a number is skipped and counted.
    mutating func add(_ time: SeriesTime?, _ value: Double?) {
        guard let time, let value else {
            skippedCount += 1
            return
        }
        let start = SeriesTime(microseconds: Self.floored(time.microseconds, step) * step)
        guard window.contains(start) else { return }
        if current?.start == start {
            current?.mean.add(value)
        } else {
            close()
            current = (start, RunningMean(value))
        }
    }

    private mutating func close() {
        guard let current, let mean = current.mean.value else { return }
        points.append(SeriesPoint(time: current.start, value: mean))
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
