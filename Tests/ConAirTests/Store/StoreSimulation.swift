import HeliumTesting
import TestSupport

@testable import ConAir

/// One run of a store against a server in memory: what a seed stands for.
///
/// Triggers overlap, clocks jump both ways, requests fail, polling stops and starts, the store restarts with its cache,
/// and the server has gaps, corrections and late points within the overlap. In the end the store has what the server
/// has, and every listener was told each change once.
struct StoreSimulation {
    private static let step = 120

    private var random: SeededRandom
    private let clock = makeClock()
    private let source: MemorySource
    private let cache = MemorySeriesCache()
    private var store: TimeSeriesStore
    private var listeners: [Follower] = []
    private var callers: [Task<Void, Never>] = []
    private var newest = noon
    private(set) var faults: [String] = []

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        source = MemorySource(clock)
        store = try Self.makeStore(source, cache, clock)
        listen()
    }

    private static func makeStore(
        _ source: MemorySource,
        _ cache: MemorySeriesCache,
        _ clock: TestClock
    ) throws -> TimeSeriesStore {
        try TimeSeriesStore(source: source, step: .seconds(step), cache: cache, clock: clock)
    }

    mutating func run() async throws {
        for _ in 0..<(10 + random.below(30)) { try await act() }
        try await settle()
    }

    private mutating func act() async throws {
        switch random.below(14) {
        case 0...3: pass(steps: 1 + random.below(3))
        case 4: pass(steps: 1 + random.below(60))
        case 5: correct()
        case 6, 7: trigger()
        case 8: setClock()
        case 9: source.fail((0...random.below(3)).map { _ in random.oneIn(2) ? MemorySource.Failure() : nil })
        case 10: if random.oneIn(2) { store.startPolling() } else { store.stopPolling() }
        case 11: if random.oneIn(2) { _ = source.hold() } else { source.release() }
        case 12: try await restart()
        default: await read()
        }
        for _ in 0..<random.below(5) { await Task.yield() }
    }

    /// Time passes, and the sensor reads in some of the steps.
    private mutating func pass(steps: Int) {
        for _ in 0..<steps {
            clock.advance(by: .seconds(Self.step))
            if !random.oneIn(4) { source.set(newest, value()) }
            newest = newest + Self.step
        }
    }

    /// One of the last steps that are read again is corrected, or comes late.
    private mutating func correct() {
        guard let last = source.points.last?.time else { return }
        source.set(last - random.below(3) * Self.step, value())
    }

    private mutating func trigger() {
        for _ in 0...random.below(3) {
            let caller = Task { [store] in _ = try? await store.collect() }
            if random.oneIn(5) { caller.cancel() }
            callers.append(caller)
        }
    }

    /// Somebody sets the clock, to at most ten hours before or after the server's.
    private mutating func setClock() {
        let offset = random.below(72_000) - 36_000
        clock.setWallTime(.microseconds(source.now.microseconds) + .seconds(offset))
    }

    private mutating func restart() async throws {
        source.release()
        store.stopPolling()
        for caller in callers { await caller.value }
        callers = []
        await read()
        store = try Self.makeStore(source, cache, clock)
        listen()
    }

    private mutating func listen() {
        listeners = (0...random.below(2)).map { _ in Follower(updates: store.updates.makeAsyncIterator()) }
    }

    /// One of the listeners reads what there is. The others fall behind.
    private mutating func read() async {
        let index = random.below(listeners.count)
        await listeners[index].take(until: store.snapshot.number)
    }

    /// Everything works again, and somebody collects.
    private mutating func settle() async throws {
        source.fail([])
        source.release()
        store.stopPolling()
        for caller in callers { await caller.value }
        try await store.collect()
        // The time at the server may be known only to a step: a reply that was held back stated an earlier one, and so does
        // a local clock before the first reply. The reply of the collection above was not held back.
        try await store.collect()
        let expected = source.points.window(source.requests[0].window.lowerBound..<SeriesTime(microseconds: .max))
        let first = store.points.first?.time ?? noon
        if store.points != expected.window(first..<SeriesTime(microseconds: .max)) {
            faults.append("store \(store.points), server \(expected)")
        }
        if first > expected.first?.time ?? first { faults.append("the store begins at \(first)") }
        if SeriesPoints(await cache.points(of: store.key)) != store.points { faults.append("the cache differs") }
        for index in listeners.indices {
            await listeners[index].take(until: store.snapshot.number)
            faults += listeners[index].listener.faults
            if listeners[index].listener.points != store.points { faults.append("a listener differs") }
        }
    }

    private mutating func value() -> Double { Double(random.below(50)) }
}

/// A listener with its updates.
private struct Follower {
    var listener = Listener()
    var updates: SeriesUpdates.Iterator

    mutating func take(until number: Int) async { await listener.take(&updates, until: number) }
}
