import HeliumTesting
import TestSupport

@testable import ConAir

/// One run of a store against a server in memory: what a seed stands for.
///
/// Triggers overlap, clocks jump both ways, requests fail, polling stops and starts, the store restarts with its cache,
/// and the server has gaps, corrections and late points within the overlap. Some seeds keep few points or young ones, some
/// read a long history in parts. In the end the store has what the server has, and every listener was told each change once.
struct StoreSimulation {
    private static let step = 120

    /// The setup of a simulation, which a seed varies along with the sequence of events.
    enum Kind: UInt64, CaseIterable {
        case plain
        /// The store keeps few points.
        case count
        /// The store keeps the points of a few hours.
        case age
        /// The first window has more than 5,000 steps.
        case long
    }

    /// The counts of the events that the kinds are meant to cause.
    struct Tally {
        var removedBatches = 0
        /// Batches that remove all known points: those of a store that was away for longer than it keeps points.
        var renewals = 0
        var parts = 0
        var failedParts = 0

        static func += (left: inout Tally, right: Tally) {
            left.removedBatches += right.removedBatches
            left.renewals += right.renewals
            left.parts += right.parts
            left.failedParts += right.failedParts
        }
    }

    private let kind: Kind
    private var options = TimeSeriesStore.Options()
    private(set) var tally = Tally()

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
        kind = Kind(rawValue: seed % UInt64(Kind.allCases.count)) ?? .plain
        switch kind {
        case .plain: break
        case .count: options.retention.count = 40 + random.below(100)
        case .age: options.retention.age = .seconds(Self.step * (40 + random.below(100)))
        case .long:
            let steps = 5_001 + random.below(8_000)
            options.initialSpan = .seconds(Self.step * steps)
            for index in stride(from: 1, to: steps, by: 40) { source.set(noon - index * Self.step, Double(index)) }
            if random.oneIn(2) { source.fail([nil, MemorySource.Failure()]) }
        }
        store = try Self.makeStore(source, options, cache, clock)
        listen()
    }

    private static func makeStore(
        _ source: MemorySource,
        _ options: TimeSeriesStore.Options,
        _ cache: MemorySeriesCache,
        _ clock: TestClock
    ) throws -> TimeSeriesStore {
        try TimeSeriesStore(source: source, step: .seconds(step), options: options, cache: cache, clock: clock)
    }

    mutating func run() async throws {
        for _ in 0..<(10 + random.below(30)) { try await act() }
        try await settle()
    }

    private mutating func act() async throws {
        switch random.below(14) {
        case 0...3: pass(steps: 1 + random.below(3))
        case 4: pass(steps: 1 + random.below(kind == .count ? 200 : 60))
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
        // A stopped collection may still write.
        await store.saveToCache()
        await read()
        await checkListeners()
        store = try Self.makeStore(source, options, cache, clock)
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
        compare()
        if SeriesPoints(await cache.points(of: store.key)) != store.points { faults.append("the cache differs") }
        await checkListeners()
        (tally.parts, tally.failedParts) = source.partCounts
    }

    /// Every listener of a store that is quiet reads all updates, and then has the points of the store.
    private mutating func checkListeners() async {
        for index in listeners.indices {
            await listeners[index].take(until: store.snapshot.number)
            faults += listeners[index].listener.faults
            if listeners[index].listener.points != store.points { faults.append("a listener differs") }
        }
        tally.removedBatches += listeners.map(\.listener.removedBatchCount).reduce(0, +)
        tally.renewals += listeners.map(\.listener.renewalCount).reduce(0, +)
    }

    /// Compares the points of the store with those of the server that it keeps.
    private mutating func compare() {
        let end = SeriesTime(microseconds: .max)
        // A plan may be made by a clock that is wrong by up to a step.
        let slack = 2 * Self.step
        var (begin, isCut) = (source.requests[0].window.lowerBound, false)
        // The first request may have failed, and time has passed until one succeeded.
        if kind == .long { (begin, isCut) = (source.now.advanced(by: .zero - options.initialSpan), true) }
        if kind == .age { (begin, isCut) = (source.now.advanced(by: .zero - options.retention.age), true) }
        if kind == .count { (begin, isCut) = (source.now - options.retention.count * Self.step, true) }
        let server = source.points.window(isCut ? SeriesTime(microseconds: .min)..<end : begin..<end)
        let wanted = source.points.window((isCut ? begin + slack : begin)..<end)
        let first = store.points.first?.time ?? noon
        if store.points != server.window(first..<end) { faults.append("store \(store.points), server \(server)") }
        if first > wanted.first?.time ?? first { faults.append("the store begins at \(first)") }
        if store.points.count > options.retention.count { faults.append("\(store.points.count) points") }
        if kind == .age, first < begin { faults.append("the store still has \(first)") }
    }

    private mutating func value() -> Double { Double(random.below(50)) }
}

/// A listener with its updates.
private struct Follower {
    var listener = Listener()
    var updates: SeriesUpdates.Iterator

    mutating func take(until number: Int) async { await listener.take(&updates, until: number) }
}
