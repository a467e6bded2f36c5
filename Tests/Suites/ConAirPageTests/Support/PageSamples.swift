import ConAir
import ConAirPage
import Foundation
import HeliumConcurrency
import HeliumTesting
import Synchronization

/// The begin of a test's time: 2012-12-11T12:00:00Z.
let noon = SeriesTime(seconds: 1_355_227_200)

extension SeriesTime {
    static func + (time: SeriesTime, seconds: Int) -> SeriesTime { time.advanced(by: .seconds(seconds)) }
    static func - (time: SeriesTime, seconds: Int) -> SeriesTime { time.advanced(by: .seconds(-seconds)) }
}

/// A source in memory.
final class PageSource: TimeSeriesSource {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let id = "page"
    private let reply = Guarded<(points: [SeriesTime: Double], failure: Failure?)>(([:], nil))

    /// Sets a value.
    func set(_ time: SeriesTime, _ value: Double) { reply.withLock { $0.points[time] = value } }

    /// Sets many values, two minutes apart, the last one at a time.
    func fill(_ count: Int, upTo last: SeriesTime) {
        for index in 0..<count { set(last - 120 * index, Double(index % 50)) }
    }

    /// Lets requests fail with a text; `nil` ends that.
    func fail(_ text: String?) { reply.withLock { $0.failure = text.map { Failure(description: $0) } } }

    func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
        try reply.withLock { reply in
            if let failure = reply.failure { throw failure }
            let points = reply.points.filter { window.contains($0.key) }
            return SeriesReply(points: points.map { SeriesPoint(time: $0.key, value: $0.value) })
        }
    }
}
