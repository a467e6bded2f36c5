import ConAir
import Foundation
import HeliumConcurrency
import HeliumKit
import HeliumServer
import Synchronization

/// The steps of the demonstration with a series: the polls of one day in a second.
struct ConAirDemo {
    private static let hour = Duration.seconds(3600)
    private static let step = Duration.seconds(120)

    private let control: ConAirControl
    private let clock: DemoClock
    private let source: ConAirHTTPSource
    private let store: TimeSeriesStore

    init(_ server: ReadyInformation.ConAir, control: ConAirControl, clock: DemoClock) throws {
        self.control = control
        self.clock = clock
        source = try ConAirHTTPSource(url: server.data)
        store = try TimeSeriesStore(source: source, step: Self.step, clock: clock)
    }

    func run(_ stage: inout DemoStage) async {
        await stage.step("read a day of temperatures") {
            let summary = try await store.collect()
            return "\(summary.insertedCount) means of 2 minutes"
        }
        await stage.step("poll the next day every 10 minutes, with a gap") {
            let begin = now.advanced(by: Self.hour * 9)
            control.addGap(begin.date..<begin.advanced(by: Self.hour * 2).date)
            var inserted = 0
            for _ in 0..<144 {
                clock.advance(by: .seconds(600))
                inserted += try await store.collect().insertedCount
            }
            let gaps = store.points.gaps(step: Self.step)
            try expect(gaps.count == 1, "\(gaps.count) gaps")
            return "\(inserted) points in 144 polls, and a gap of 2 hours"
        }
        await stage.step("receive a correction") {
            let known = store.points.last
            try await control.store([ConAirReading(date: now.date, value: 19.5)])
            try await store.collect()
            let (old, new) = (known?.value, known.flatMap { store.points.value(at: $0.time) })
            try expect(old != new, "the value is still \(old ?? .nan)")
            return String(format: "%.2f → %.2f °C", old ?? .nan, new ?? .nan)
        }
        await stage.step("draw the day") {
            let day = now.advanced(by: Self.hour * -24)..<now
            var options = ChartModel.Options(title: "Demonstration", unit: "°C", zone: .current)
            options.comparesDayBefore = true
            let model = ChartModel(store.points, window: day, step: Self.step, options: options)
            let picture = SVGChart(model)
            try await PictureFile("demo.svg").write(picture)
            await source.close()
            return "demo.svg, \(picture.data.count) bytes"
        }
    }

    private var now: SeriesTime { SeriesTime(wallTime: clock.wallTime) }
}

/// A clock that begins one day ago and only moves when it is advanced.
final class DemoClock: HeliumClock {
    private let begin = SystemClock().wallTime - .seconds(86_400)
    private let passed = Guarded(Duration.zero)

    var wallTime: Duration { begin + uptime }
    var uptime: Duration { passed.withLock { $0 } }

    func advance(by duration: Duration) { passed.withLock { $0 += duration } }

    /// Advances the clock and returns at once.
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        advance(by: duration)
    }

    /// A clock of the server with the same time.
    var serverClock: ServerClock { .microseconds { SeriesTime(wallTime: self.wallTime).microseconds } }
}
