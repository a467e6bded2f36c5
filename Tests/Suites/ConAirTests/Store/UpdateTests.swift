import HeliumConcurrency
import HeliumTesting
import Observation
import TestSupport
import Testing

@testable import ConAir

@Suite("Listeners of a store", .timeLimit(.minutes(5)))
struct UpdateTests {
    @Test("a listener of a store gets a snapshot and then each change once, in order")
    func changes() async throws {
        let fixture = try StoreFixture()
        fixture.source.set(noon - 120, 1)
        try await fixture.store.collect()
        var iterators = (0..<3).map { _ in fixture.store.updates.makeAsyncIterator() }
        var listeners = Array(repeating: Listener(), count: 3)
        for round in 0..<20 {
            fixture.clock.advance(by: .seconds(120))
            fixture.source.set(noon + round * 120, Double(round))
            fixture.source.set(noon + (round - 1) * 120, Double(-round))
            try await fixture.store.collect()
        }
        for index in 0..<3 {
            await listeners[index].take(&iterators[index], until: 21)
            #expect(listeners[index].points == fixture.store.points)
            #expect(listeners[index].faults.isEmpty && listeners[index].snapshotCount == 1)
        }
    }

    @Test("a slow listener of a store gets a snapshot instead of the changes that it missed")
    func slow() async throws {
        let fixture = try StoreFixture()
        var iterator = fixture.store.updates.makeAsyncIterator()
        var listener = Listener()
        await listener.take(&iterator, until: 0)
        for round in 0..<200 {
            fixture.clock.advance(by: .seconds(120))
            fixture.source.set(noon + round * 120, Double(round))
            try await fixture.store.collect()
        }
        await listener.take(&iterator, until: 200)
        #expect(listener.snapshotCount == 2 && listener.faults.isEmpty)
        fixture.clock.advance(by: .seconds(120))
        fixture.source.set(noon + 200 * 120, 1)
        try await fixture.store.collect()
        await listener.take(&iterator, until: 201)
        #expect(listener.snapshotCount == 2 && listener.faults.isEmpty)
        #expect(listener.points == fixture.store.points)
    }

    @Test("a listener of a store ends with its task")
    func cancellation() async throws {
        let fixture = try StoreFixture()
        let listener = Task { await fixture.store.updates.reduce(0) { count, _ in count + 1 } }
        listener.cancel()
        #expect(await listener.value <= 1)
    }

    @Test("a listener of a store gets its states in order, the present one first")
    func states() async throws {
        let fixture = try StoreFixture()
        var states = fixture.store.states.makeAsyncIterator()
        fixture.source.fail([MemorySource.Failure(), nil])
        _ = try? await fixture.store.collect()
        try await fixture.store.collect()
        var phases: [String] = []
        for _ in 0..<5 {
            let state = try #require(await states.next())
            phases.append("\(state.phase) \(state.failureCount)")
        }
        #expect(phases == ["idle 0", "collecting 0", "idle 1", "collecting 1", "idle 0"])
    }

    @Test("a store's points and state are observed on the main actor")
    @MainActor
    func observation() async throws {
        let fixture = try StoreFixture()
        let series = ObservableTimeSeries(fixture.store)
        #expect(series.points.isEmpty && series.latest == nil)
        let changed = Signal<Void>()
        withObservationTracking {
            _ = series.latest
        } onChange: {
            changed.settle()
        }
        fixture.source.set(noon - 120, 7)
        try await fixture.store.collect()
        try await eventually { changed.isSettled && series.latest?.value == 7 && series.state.lastSuccess == noon }
        #expect(series.points == fixture.store.points)
    }

    @Test("an observation of a store on the main actor ends with its object")
    @MainActor
    func observationEnds() async throws {
        let fixture = try StoreFixture()
        var series: ObservableTimeSeries? = ObservableTimeSeries(fixture.store)
        weak let released = series
        series = nil
        try await eventually { released == nil }
        try await fixture.store.collect()
    }
}
