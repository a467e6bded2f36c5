import Foundation
import HeliumTesting
import Testing

@testable import ConAir

@Suite("Extreme values of ConAir's options", .timeLimit(.minutes(5)))
struct ExtremeOptionTests {
    private static let extremeDurations: [Duration] = [
        .seconds(Int64.min), .seconds(Int64.max), .seconds(-1), .zero, .nanoseconds(1), .zero - .seconds(Int64.min),
    ]
    private static let extremeCounts = [Int.min, -1, 0, 1, 2, 3, .max]
    private static let extremeTimes = [SeriesTime(microseconds: .min), SeriesTime(microseconds: .max), noon]

    @Test("a store works with any duration in its options", arguments: extremeDurations, [0, 1, 2, 3])
    func durations(duration: Duration, option: Int) async throws {
        var options = TimeSeriesStore.Options()
        switch option {
        case 0: options.pollingPeriod = duration
        case 1: options.initialSpan = duration
        case 2: options.maximumDelay = duration
        default: options.retention.age = duration
        }
        let fixture = try StoreFixture(options: options)
        fixture.source.set(noon - 120, 1)
        fixture.source.fail([MemorySource.Failure()])
        _ = try? await fixture.store.collect()
        try await fixture.store.collect()
        fixture.store.startPolling()
        fixture.store.pollingPeriod = duration
        fixture.store.stopPolling()
        #expect(!fixture.store.state.isPolling)
    }

    @Test("a store works with any number in its options", arguments: extremeCounts)
    func counts(count: Int) async throws {
        for change in [{ $0.overlap = count }, { $0.retention.count = count }]
            as [(inout TimeSeriesStore.Options) -> Void]
        {
            var options = TimeSeriesStore.Options()
            change(&options)
            let fixture = try StoreFixture(options: options)
            fixture.source.set(noon - 120, 1)
            try await fixture.store.collect()
            try await fixture.store.collect()
            #expect(fixture.store.points.count == 1)
        }
    }

    @Test("a plan has a window for any times and options", arguments: extremeTimes, extremeTimes)
    func plans(now: SeriesTime, other: SeriesTime) {
        for duration in Self.extremeDurations {
            for count in Self.extremeCounts {
                var facts = PollPlan.Facts(newest: other, now: now, step: .seconds(400 * 86_400))
                facts.initialStart = other
                facts.initialSpan = duration
                facts.retention = SeriesRetention(age: duration, count: count)
                facts.overlap = count
                let plan = PollPlan(facts)
                #expect(plan.window.upperBound == now)
                _ = plan.corrected(to: other, newest: nil)
                facts.newest = nil
                #expect(PollPlan(facts).window.upperBound == now)
            }
        }
    }

    @Test("a time moves by any duration, to the limit of the range at most", arguments: extremeDurations, extremeTimes)
    func moves(duration: Duration, time: SeriesTime) {
        let moved = time.advanced(by: duration)
        if duration > .seconds(1) { #expect(moved == SeriesTime(microseconds: .max)) }
        if duration < .seconds(-1) { #expect(moved == SeriesTime(microseconds: .min)) }
    }

    @Test("points have gaps, statistics and triangles for any step and number", arguments: extremeDurations)
    func points(duration: Duration) {
        let points = SeriesPoints(
            [SeriesTime(microseconds: .min), noon, noon + 1, noon + 86_400, SeriesTime(microseconds: .max)]
                .map { SeriesPoint(time: $0, value: .greatestFiniteMagnitude) }
        )
        _ = (points.gaps(step: duration), SeriesStatistics(points, step: duration))
        for count in Self.extremeCounts { #expect(points.largestTriangles(count).count <= points.count) }
    }

    @Test("a chart is drawn with any sizes and options", arguments: extremeDurations)
    func charts(duration: Duration) {
        let points = SeriesPoints(ramp(from: noon, count: 50))
        let windows = [
            noon..<noon, noon..<(noon + 6000), SeriesTime(microseconds: .min)..<SeriesTime(microseconds: .max),
            SeriesTime(microseconds: .min)..<SeriesTime(microseconds: .min),
        ]
        let numbers = [-Double.infinity, -1, 0, 1, .greatestFiniteMagnitude, .infinity, .nan]
        for (index, window) in windows.enumerated() {
            for count in Self.extremeCounts {
                var options = ChartModel.Options(comparesDayBefore: true, maximumPoints: count)
                options.padding = numbers[index]
                let model = ChartModel(points, window: window, step: duration, options: options)
                _ = (model.timeTicks(maximum: count), model.valueTicks(maximum: count), model.summary)
                let terminal = TerminalChart(model, columns: count, rows: count)
                #expect(terminal.lines.count <= 500)
                for number in numbers {
                    let chart = SVGChart(model, style: .horizon, width: number, height: number)
                    #expect(chart.text.hasSuffix("</svg>\n"))
                }
            }
        }
    }

    @Test("setting the period while polling is stopped does not start it again")
    func periodDuringStop() async throws {
        let fixture = try StoreFixture()
        let store = fixture.store
        for _ in 0..<2_000 {
            store.startPolling()
            let setting = Task.detached { for second in 1...5 { store.pollingPeriod = .seconds(second) } }
            await Task.yield()
            store.stopPolling()
            await setting.value
            #expect(!store.state.isPolling)
            if store.state.isPolling { return }
        }
    }
}
