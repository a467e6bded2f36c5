import HeliumTesting
import TestSupport
import Testing

@testable import ConAir

@Suite("Collecting points of a store", .timeLimit(.minutes(5)))
struct CollectingTests {
    @Test("a store reads 24 hours first, then from two steps before the newest point to the server's now")
    func windows() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 240, 1)
        #expect(try await fixture.store.collect().insertedCount == 1)
        fixture.clock.advance(by: .seconds(60))
        let summary = try await fixture.store.collect()
        #expect(summary == CollectSummary())
        #expect(fixture.source.requests.map(\.window) == [noon - 86_400..<noon, noon - 480..<noon + 60])
        #expect(fixture.source.requests.allSatisfy { $0.step == .seconds(120) })
    }

    @Test("a store takes over new, late and corrected points, and keeps those that a reply lacks")
    func changes() async throws {
        let fixture = try StoreFixture()
        for index in 1...5 where index != 4 { fixture.source.set(noon - index * 120, Double(index)) }
        try await fixture.store.collect()
        fixture.clock.advance(by: .seconds(120))
        fixture.source.set(noon, 0)
        fixture.source.set(noon - 120, 10)
        fixture.source.set(noon - 240, nil)
        let summary = try await fixture.store.collect()
        #expect(summary.insertedCount == 1 && summary.replacedCount == 1 && summary.removedCount == 0)
        #expect(fixture.store.points.map(\.value) == [5, 3, 2, 10, 0])
    }

    @Test("a store drops and counts points of the future, and continues")
    func future() async throws {
        let fixture = try StoreFixture()
        fixture.source.add([
            SeriesPoint(time: noon + 3000, value: 1), SeriesPoint(time: SeriesTime(seconds: 4_070_908_800), value: 2),
        ])
        let summary = try await fixture.store.collect()
        #expect(summary.aheadCount == 1 && summary.insertedCount == 1 && fixture.store.state.aheadCount == 1)
        fixture.source.add([])
        fixture.source.set(noon - 120, 3)
        #expect(try await fixture.store.collect().insertedCount == 1)
        fixture.clock.advance(by: .seconds(120))
        fixture.source.set(noon, 4)
        #expect(try await fixture.store.collect().insertedCount == 1)
        #expect(fixture.store.points.map(\.value) == [3, 4, 1])
    }

    @Test("a store reads long windows in parts and keeps those before a failure")
    func parts() async throws {
        var options = TimeSeriesStore.Options()
        options.initialSpan = .seconds(120 * 12_000)
        let fixture = try StoreFixture(options: options)
        for index in 1..<12_000 where index % 10 == 0 { fixture.source.set(noon - index * 120, Double(index)) }
        fixture.source.fail([nil, MemorySource.Failure()])
        await #expect(throws: MemorySource.Failure()) { try await fixture.store.collect() }
        #expect(fixture.store.points.count == 499)
        let newest = try #require(fixture.store.points.last?.time)
        try await fixture.store.collect()
        #expect(fixture.source.requests[2].window.lowerBound == newest - 240)
        #expect(fixture.store.points == fixture.source.points)
        #expect(fixture.store.snapshot.number == 3)
    }

    @Test("a store follows the server's clock if the local one is wrong", arguments: [-36_000, 36_000, -90_000])
    func clocks(offset: Int) async throws {
        let clock = makeClock()
        let source = MemorySource(clock)
        clock.setWallTime(.seconds(1_355_227_200 + offset))
        let fixture = try StoreFixture(clock: clock, source: source)
        for index in 1...720 { source.set(noon - index * 120, Double(index)) }
        try await fixture.store.collect()
        #expect(fixture.store.points == source.points.window(noon - 86_400..<min(noon, noon + offset + 86_400)))
        // The clock is set while the program runs.
        clock.setWallTime(.seconds(1_355_227_200 - offset / 10))
        clock.advance(by: .seconds(240))
        source.set(noon, 1)
        try await fixture.store.collect()
        #expect(fixture.store.points.last == SeriesPoint(time: noon, value: 1))
        #expect(source.requests.last?.window.upperBound == noon + 240)
    }

    @Test("a store whose clock is behind reads up to the server's now after a restart")
    func restartBehind() async throws {
        let cache = MemorySeriesCache()
        let first = try StoreFixture(cache: cache)
        first.source.set(noon - 7200, 1)
        try await first.store.collect()
        first.source.set(noon - 120, 2)
        first.clock.setWallTime(.seconds(1_355_227_200 - 36_000))
        let second = try StoreFixture(cache: cache, clock: first.clock, source: first.source)
        try await second.store.collect()
        #expect(second.store.points == first.source.points)
    }

    @Test("a store uses the local clock for a source without a time, also after it was set back")
    func withoutServerTime() async throws {
        let fixture = try StoreFixture()
        fixture.source.stateTime(false)
        fixture.source.set(noon - 120, 1)
        try await fixture.store.collect()
        fixture.clock.setWallTime(.seconds(1_355_227_200 - 7200))
        try await fixture.store.collect()
        #expect(fixture.source.requests.last?.window == noon - 93_600..<noon - 7200)
        fixture.clock.setWallTime(.seconds(1_355_227_200 + 60))
        try await fixture.store.collect()
        #expect(fixture.source.requests.last?.window == noon - 360..<noon + 60)
        #expect(fixture.store.points.count == 1)
    }

    @Test("a store removes points by age and by count, and reports them")
    func retention() async throws {
        var options = TimeSeriesStore.Options()
        options.retention = SeriesRetention(age: .seconds(3600), count: 20)
        let fixture = try StoreFixture(options: options)
        for index in 1...40 { fixture.source.set(noon - index * 120, Double(index)) }
        try await fixture.store.collect()
        #expect(fixture.source.requests.map(\.window) == [noon - 2400..<noon])
        #expect(fixture.store.points.count == 20)
        fixture.source.set(noon, 0)
        fixture.clock.advance(by: .seconds(120))
        #expect(try await fixture.store.collect().removedCount == 1)
        fixture.clock.advance(by: .seconds(3400))
        #expect(try await fixture.store.collect().removedCount == 19)
        #expect(fixture.store.points.map(\.value) == [0])
    }

    @Test("a store keeps its points if the local clock is years ahead")
    func clockYearsAhead() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        try await fixture.store.collect()
        fixture.clock.setWallTime(.seconds(1_355_227_200 + 5 * 366 * 86_400))
        try await fixture.store.collect()
        #expect(fixture.store.points.count == 1)
        // Years of steps are not asked for.
        #expect(fixture.source.requests.count == 2)
        fixture.clock.setWallTime(.seconds(1_355_227_200))
        fixture.clock.advance(by: .seconds(240))
        fixture.source.set(noon, 2)
        try await fixture.store.collect()
        #expect(fixture.store.points == fixture.source.points)
    }

    @Test("a store begins at the configured time, however late the first reply is")
    func initialStart() async throws {
        var options = TimeSeriesStore.Options()
        options.initialStart = noon - 600
        let fixture = try StoreFixture(options: options)
        for index in 1...10 { fixture.source.set(noon - index * 120, Double(index)) }
        fixture.source.fail([MemorySource.Failure()])
        await #expect(throws: MemorySource.Failure()) { try await fixture.store.collect() }
        fixture.clock.advance(by: .seconds(3600))
        try await fixture.store.collect()
        #expect(fixture.store.points == fixture.source.points.window(noon - 600..<noon))
    }

    @Test(
        "a store refuses a step that is not a positive whole number of milliseconds",
        arguments: [Duration.zero, .seconds(-120), .microseconds(1500), .seconds(Int64.max)]
    )
    func steps(step: Duration) {
        let clock = makeClock()
        let error = #expect(throws: ConAirError.self) {
            try TimeSeriesStore(source: MemorySource(clock), step: step, clock: clock)
        }
        #expect(error?.kind == .invalidStep)
    }
}
