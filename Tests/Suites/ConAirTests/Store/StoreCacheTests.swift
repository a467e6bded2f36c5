import HeliumConcurrency
import HeliumTesting
import Synchronization
import TestSupport
import Testing

@testable import ConAir

@Suite("A store with a cache", .timeLimit(.minutes(5)))
struct StoreCacheTests {
    private let key = SeriesKey(source: "memory", step: .seconds(120))

    @Test("a store reads its cache after a restart and requests only missing points")
    func restart() async throws {
        let cache = MemorySeriesCache()
        let first = try StoreFixture(cache: cache)
        for index in 1...720 { first.source.set(noon - index * 120, Double(index)) }
        try await first.store.collect()
        first.clock.advance(by: .seconds(3600))
        for index in 0..<30 { first.source.set(noon + index * 120, Double(-index)) }
        first.source.set(noon - 240, 99)

        let second = try StoreFixture(cache: cache, clock: first.clock, source: first.source)
        var updates = second.store.updates.makeAsyncIterator()
        try await second.store.collect()
        #expect(first.source.requests.last?.window == noon - 360..<noon + 3600)
        #expect(second.store.points == first.source.points)
        var listener = Listener()
        await listener.take(&updates, until: 2)
        #expect(listener.points == second.store.points && listener.faults.isEmpty)
        #expect(SeriesPoints(await cache.points(of: key)) == second.store.points)
    }

    @Test("a store removes from its cache what retention removes")
    func retention() async throws {
        var options = TimeSeriesStore.Options()
        options.retention = SeriesRetention(age: .seconds(86_400), count: 10)
        let cache = MemorySeriesCache()
        await cache.store(ramp(from: noon - 120 * 50, count: 50), removingBefore: nil, of: key)
        let fixture = try StoreFixture(options: options, cache: cache)
        try await fixture.store.collect()
        #expect(fixture.store.points.count == 10)
        fixture.source.set(noon, 1)
        fixture.clock.advance(by: .seconds(120))
        try await fixture.store.collect()
        #expect(SeriesPoints(await cache.points(of: key)) == fixture.store.points)
    }

    /// A cache of a store that keeps 10 points, with those before noon.
    private func tenPoints() async -> (MemorySeriesCache, TimeSeriesStore.Options) {
        var options = TimeSeriesStore.Options()
        options.retention.count = 10
        let cache = MemorySeriesCache()
        await cache.store(ramp(from: noon - 1200, count: 10), removingBefore: nil, of: key)
        return (cache, options)
    }

    @Test("a store removes points that are too old after an absence, once it has new ones")
    func absence() async throws {
        let (cache, options) = await tenPoints()
        let fixture = try StoreFixture(options: options, cache: cache)
        for index in 0..<100 { fixture.source.set(noon + index * 120, Double(index)) }
        // Gaps of the source: the count alone would keep some of the old points.
        for index in 90..<97 { fixture.source.set(noon + index * 120, nil) }
        fixture.clock.advance(by: .seconds(100 * 120))
        fixture.source.fail([MemorySource.Failure()])
        await #expect(throws: MemorySource.Failure()) { try await fixture.store.collect() }
        #expect(fixture.store.points.count == 10)
        #expect(try await fixture.store.collect().removedCount == 10)
        #expect(fixture.store.points.map(\.value) == [97, 98, 99])
        #expect(SeriesPoints(await cache.points(of: key)) == fixture.store.points)
    }

    @Test("a store keeps its points through an absence in which the source had none")
    func silence() async throws {
        let (cache, options) = await tenPoints()
        let fixture = try StoreFixture(options: options, cache: cache)
        fixture.clock.advance(by: .seconds(100 * 120))
        try await fixture.store.collect()
        #expect(fixture.store.points.count == 10)
    }

    @Test("a store with a cache loses no points if only the local clock is wrong", arguments: [-36_000, 1200, 36_000])
    func wrongClock(offset: Int) async throws {
        let (cache, options) = await tenPoints()
        let fixture = try StoreFixture(options: options, cache: cache)
        for index in -10..<9 { fixture.source.set(noon + index * 120, Double(index)) }
        fixture.clock.advance(by: .seconds(9 * 120))
        fixture.clock.setWallTime(.seconds(1_355_227_200 + 9 * 120 + offset))
        fixture.source.fail([nil, MemorySource.Failure()])
        await #expect(throws: MemorySource.Failure()) { try await fixture.store.collect() }
        #expect(fixture.store.points.count == 10 && fixture.store.points.gaps(step: .seconds(120)).isEmpty)
        try await fixture.store.collect()
        #expect(fixture.store.points == fixture.source.points.window(noon - 120..<noon + 1080))
    }

    @Test("a store continues while its cache fails, and writes everything later")
    func failingWrites() async throws {
        let cache = FailingCache()
        let fixture = try StoreFixture(cache: cache)
        fixture.source.set(noon - 120, 1)
        cache.fail(writes: true)
        try await fixture.store.collect()
        #expect(fixture.store.state.cacheError is FailingCache.Failure && fixture.store.points.count == 1)
        fixture.source.set(noon, 2)
        fixture.clock.advance(by: .seconds(120))
        try await fixture.store.collect()
        cache.fail(writes: false)
        try await fixture.store.collect()
        #expect(fixture.store.state.cacheError == nil)
        #expect(SeriesPoints(try await cache.points(of: key)) == fixture.store.points)
    }

    @Test("after a failed write, a store writes only its own changes: points of another process stay as they are")
    func changesOnly() async throws {
        let cache = FailingCache()
        let fixture = try StoreFixture(cache: cache)
        for index in 1...5 { fixture.source.set(noon - index * 120, Double(index)) }
        try await fixture.store.collect()
        fixture.source.set(noon, 6)
        fixture.source.set(noon - 120, 7)
        fixture.clock.advance(by: .seconds(120))
        cache.fail(writes: true)
        try await fixture.store.collect()
        #expect(fixture.store.state.cacheError is FailingCache.Failure)
        cache.fail()
        // Older points, and a correction that the store does not request again.
        let others = ramp(from: noon - 120 * 1000, count: 3) + [SeriesPoint(time: noon - 600, value: 50)]
        try await cache.store(others, removingBefore: nil, of: key)
        try await fixture.store.collect()
        #expect(fixture.store.state.cacheError == nil)
        #expect(try await cache.points(of: key).map(\.value) == [0, 1, 2, 50, 4, 3, 2, 7, 6])
    }

    @Test("after a failed write, a store removes from its cache what retention removed")
    func failedRemoval() async throws {
        let cache = FailingCache()
        var options = TimeSeriesStore.Options()
        options.retention.count = 10
        try await cache.store(ramp(from: noon - 1200, count: 10), removingBefore: nil, of: key)
        let fixture = try StoreFixture(options: options, cache: cache)
        try await fixture.store.collect()
        cache.fail(writes: true)
        for index in 0..<3 {
            fixture.source.set(noon + index * 120, Double(100 + index))
            fixture.clock.advance(by: .seconds(120))
            try await fixture.store.collect()
        }
        #expect(try await cache.points(of: key).count == 10)
        cache.fail()
        try await fixture.store.collect()
        #expect(fixture.store.points.count == 10 && fixture.store.points.last?.value == 102)
        #expect(SeriesPoints(try await cache.points(of: key)) == fixture.store.points)
    }

    @Test("points that a stopped collection has published are written to the cache")
    func stopped() async throws {
        let cache = FailingCache()
        let fixture = try StoreFixture(cache: cache)
        fixture.source.set(noon - 120, 1)
        let gate = cache.holdNextWrite()
        let first = Task { try await fixture.store.collect() }
        try await eventually { cache.writeCount == 1 }
        first.cancel()
        _ = await first.result
        fixture.source.set(noon - 120, 2)
        let second = Task { try await fixture.store.collect() }
        try await eventually { fixture.store.points.last?.value == 2 }
        // It is stopped before it can write. No later collection does it instead.
        second.cancel()
        _ = await second.result
        gate.settle()
        try await eventually { try await cache.points(of: key).map(\.value) == [2] }
    }

    @Test("a store loses nothing of a cache that cannot be read")
    func failingReads() async throws {
        let cache = FailingCache()
        let old = ramp(from: noon - 120 * 2000, count: 1000)
        try await cache.store(old, removingBefore: nil, of: key)
        cache.fail(reads: true, writes: true)
        let fixture = try StoreFixture(cache: cache)
        fixture.source.set(noon - 120, 1)
        fixture.source.set(old[999].time, 5)
        try await fixture.store.collect()
        #expect(fixture.store.state.cacheError is FailingCache.Failure && fixture.store.points.count == 1)
        cache.fail(reads: true, writes: false)
        try await fixture.store.collect()
        cache.fail()
        try await fixture.store.collect()
        #expect(fixture.store.state.cacheError == nil && fixture.store.points.count == 1001)
        #expect(SeriesPoints(try await cache.points(of: key)) == fixture.store.points)
    }

    @Test("a store whose cache is read late requests the gap after the cached points, until a collection succeeds")
    func lateRead() async throws {
        let cache = FailingCache()
        try await cache.store(ramp(from: noon - 120 * 2000, count: 1000), removingBefore: nil, of: key)
        cache.fail(reads: true)
        let fixture = try StoreFixture(cache: cache)
        for index in 1...1000 { fixture.source.set(noon - index * 120, Double(index)) }
        try await fixture.store.collect()
        #expect(fixture.store.points.count == 720)
        // A store that is created now, and can read the cache, must see that it ends before the gap.
        #expect(cache.writeCount == 1)
        cache.fail()
        fixture.source.fail([MemorySource.Failure()])
        await #expect(throws: MemorySource.Failure()) { try await fixture.store.collect() }
        #expect(fixture.store.points.gaps(step: .seconds(120)).count == 1)
        try await fixture.store.collect()
        #expect(fixture.source.requests.last?.window == noon - 1003 * 120..<noon)
        #expect(fixture.store.points.count == 2000 && fixture.store.points.gaps(step: .seconds(120)).isEmpty)
        #expect(SeriesPoints(try await cache.points(of: key)) == fixture.store.points)
        try await fixture.store.collect()
        #expect(fixture.source.requests.last?.window == noon - 360..<noon)
    }

    @Test("a store writes to its cache in the order of the changes")
    func order() async throws {
        let cache = FailingCache()
        let fixture = try StoreFixture(cache: cache)
        fixture.source.set(noon - 120, 1)
        let gate = cache.holdNextWrite()
        let slow = Task { try await fixture.store.collect() }
        try await eventually { cache.writeCount == 1 }
        slow.cancel()
        _ = await slow.result
        fixture.source.set(noon - 120, 2)
        let next = Task { try await fixture.store.collect() }
        try await eventually { fixture.store.points.last?.value == 2 }
        gate.settle()
        _ = try await next.value
        #expect(try await cache.points(of: key).map(\.value) == [2])
    }
}

/// A cache that fails, or waits, when a test says so.
private final class FailingCache: SeriesCache {
    struct Failure: Error {}

    private struct State {
        var failsReads = false
        var failsWrites = false
        var gate: Signal<Void>?
        var writeCount = 0
    }

    private let memory = MemorySeriesCache()
    private let state = Guarded(State())

    var writeCount: Int { state.withLock { $0.writeCount } }

    func fail(reads: Bool = false, writes: Bool = false) {
        state.withLock { ($0.failsReads, $0.failsWrites) = (reads, writes) }
    }

    func holdNextWrite() -> Signal<Void> {
        let gate = Signal<Void>()
        state.withLock { $0.gate = gate }
        return gate
    }

    func points(of key: SeriesKey) async throws -> [SeriesPoint] {
        if state.withLock({ $0.failsReads }) { throw Failure() }
        return await memory.points(of: key)
    }

    func store(_ points: [SeriesPoint], removingBefore boundary: SeriesTime?, of key: SeriesKey) async throws {
        let (fails, gate) = state.withLock { state in
            state.writeCount += 1
            return (state.failsWrites, state.gate.take())
        }
        try await gate?.valueIgnoringCancellation()
        if fails { throw Failure() }
        await memory.store(points, removingBefore: boundary, of: key)
    }
}
