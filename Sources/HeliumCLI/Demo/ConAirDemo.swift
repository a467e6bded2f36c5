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
    private static let period = Duration.seconds(600)

    private let control: ConAirControl
    private let clock: DemoClock
    private let source: ConAirHTTPSource
    private let store: TimeSeriesStore

    init(_ server: ReadyInformation.ConAir, control: ConAirControl, clock: DemoClock) throws {
        self.control = control
        self.clock = clock
        source = try ConAirHTTPSource(url: server.data)
        var options = TimeSeriesStore.Options()
        options.pollingPeriod = Self.period
        // Without jitter, so that the number of polls is always the same.
        let middle = RandomSource { 1 << 63 }
        store = try TimeSeriesStore(source: source, step: Self.step, options: options, clock: clock, random: middle)
    }

    func run(_ stage: inout DemoStage) async {
        await stage.step("read a day of temperatures") {
            let summary = try await store.collect()
            return "\(summary.insertedCount) means of 2 minutes"
        }
        await stage.step("poll the next day every 10 minutes, with a gap") {
            let begin = now.advanced(by: Self.hour * 9)
            control.addGap(begin.date..<begin.advanced(by: Self.hour * 2).date)
            let (known, end) = (store.points.count, now.advanced(by: Self.hour * 24))
            clock.allowPauses(of: Self.hour * 24)
            store.startPolling()
            // The clock stops at the end of the day, so the next attempt after it is never made.
            _ = await store.states.first { state in state.nextAttempt.map { $0 > end } ?? false }
            store.stopPolling()
            if store.state.failureCount > 0, let error = store.state.lastError { throw error }
            let gaps = store.points.gaps(step: Self.step)
            try expect(gaps.count == 1, "\(gaps.count) gaps")
            // One poll at once, and one after each pause.
            let polls = 1 + Int(Self.hour * 24 / Self.period)
            return "\(store.points.count - known) points in \(polls) polls, and a gap of 2 hours"
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
            let name = try Self.keep(picture.data)
            await source.close()
            return "\(name), \(picture.data.count) bytes"
        }
    }

    /// Writes the picture to a new file: `demo.svg`, or `demo-2.svg` and so on if there are such files. They may be the
    /// user's.
    ///
    /// - Returns: The name of the file.
    static func keep(_ picture: Data, inFolder folder: String = CommandContext.current.path(".")) throws -> String {
        for number in 1...1_000 {
            let name = number == 1 ? "demo.svg" : "demo-\(number).svg"
            do {
                try picture.write(to: URL(fileURLWithPath: "\(folder)/\(name)"), options: .withoutOverwriting)
                return name
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                continue
            }
        }
        throw DemoFailure("the current folder has 1000 pictures of the demonstration: delete some")
    }

    private var now: SeriesTime { SeriesTime(wallTime: clock.wallTime) }
}

/// A clock that begins one day ago and is moved by pauses, which take no time.
final class DemoClock: HeliumClock {
    private struct State {
        var passed = Duration.zero
        /// The time up to which pauses move the clock.
        var limit = Duration.zero
    }

    private let begin = CommandContext.current.clock.wallTime - .seconds(86_400)
    private let state = Guarded(State())

    var wallTime: Duration { begin + uptime }
    var uptime: Duration { state.withLock { $0.passed } }

    /// Allows pauses to move the clock by a duration in total.
    func allowPauses(of total: Duration) { state.withLock { $0.limit = $0.passed + total } }

    /// Moves the clock and returns at once. A pause that would pass the limit lasts until the task is cancelled.
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        let isAllowed = state.withLock { state in
            guard state.passed + duration <= state.limit else { return false }
            state.passed += duration
            return true
        }
        if !isAllowed { try await Self.waitForCancellation() }
    }

    /// Waits until the task is cancelled, because a time limit must not move the clock. Returns at once if the time has
    /// passed.
    func waitForDeadline(at uptime: Duration) async throws {
        if uptime > self.uptime { try await Self.waitForCancellation() }
    }

    private static func waitForCancellation() async throws {
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// A clock of the server with the same time.
    var serverClock: ServerClock { .microseconds { SeriesTime(wallTime: self.wallTime).microseconds } }
}
