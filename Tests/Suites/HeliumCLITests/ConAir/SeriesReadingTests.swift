import ArgumentParser
import ConAirSQLite
import Foundation
import HeliumConcurrency
import Synchronization
import TestSupport
import Testing

@testable import ConAir
@testable import HeliumCLI

@Suite("Reading a window with a cache", .timeLimit(.minutes(2)))
struct SeriesReadingTests {
    /// A source with a point at each step, which records what is asked for.
    private final class Source: TimeSeriesSource {
        struct Failure: Error {}

        let id = "source"
        /// The difference between the clock of the source and the local one; `nil` if it does not report its time.
        let ahead: Duration?
        private let state = Guarded<(windows: [Range<SeriesTime>], failures: Set<Int>)>(([], []))

        init(ahead: Duration? = nil) { self.ahead = ahead }

        var windows: [Range<SeriesTime>] { state.withLock { $0.windows } }

        /// Lets the requests with these numbers fail.
        func fail(_ numbers: Set<Int>) { state.withLock { $0.failures = numbers } }

        func points(in window: Range<SeriesTime>, step: Duration) async throws -> SeriesReply {
            try state.withLock { state in
                state.windows.append(window)
                if state.failures.contains(state.windows.count) { throw Failure() }
            }
            // HTTP reports whole seconds.
            let now = ahead.map { SeriesTime(seconds: Int64(Date().timeIntervalSince1970)).advanced(by: $0) }
            return SeriesReply(points: SeriesReadingTests.points(window), serverTime: now)
        }
    }

    private static let step: Int64 = 120

    private static func points(_ window: Range<SeriesTime>) -> [SeriesPoint] {
        let micro = step * 1_000_000
        let first = (window.lowerBound.microseconds + micro - 1) / micro * micro
        return stride(from: first, to: window.upperBound.microseconds, by: Int(micro)).map {
            SeriesPoint(time: SeriesTime(microseconds: $0), value: Double($0 / micro % 100))
        }
    }

    private struct World {
        let source: Source
        let cache: SQLiteSeriesCache
        let series: Series

        /// The times of the first point, and of the last one that the cache has; the number of holes between them.
        func cached() async throws -> (first: SeriesTime?, last: SeriesTime?, count: Int, holes: Int) {
            let points = SeriesPoints(try await cache.points(of: series.key))
            return (points.first?.time, points.last?.time, points.count, points.gaps(step: series.step).count)
        }
    }

    private func withWorld(
        cached: Range<SeriesTime>?,
        ahead: Duration? = nil,
        _ body: (World) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let source = Source(ahead: ahead)
            let cache = try SQLiteSeriesCache(path: folder.appendingPathComponent("cache.sqlite").path)
            let series = Series(source: source, step: .seconds(Self.step), cache: cache) {}
            if let cached { try await cache.store(Self.points(cached), removingBefore: nil, of: series.key) }
            try await body(World(source: source, cache: cache, series: series))
            try cache.close()
        }
    }

    private func options(_ start: SeriesTime?, _ stop: SeriesTime? = nil) throws -> SeriesWindowOptions {
        try SeriesWindowOptions.parse(
            (start.map { ["--start", "\($0)"] } ?? []) + (stop.map { ["--stop", "\($0)"] } ?? [])
        )
    }

    /// The begin of the present step.
    private let now = SeriesTime(seconds: Int64(Date().timeIntervalSince1970) / 120 * 120)

    private func ago(_ steps: Int) -> SeriesTime { now.advanced(by: .seconds(-120 * steps)) }

    @Test("a past window that does not touch the cache is read alone, and not stored", arguments: [true, false])
    func past(isCached: Bool) async throws {
        let start = try #require(SeriesTime("2012-12-11T00:00:00Z"))
        let stop = start.advanced(by: .seconds(86_400))
        try await withWorld(cached: isCached ? ago(30)..<now : nil) { world in
            let reading = try await SeriesReading.read(world.series, options(start, stop))
            #expect(world.source.windows == [start..<stop])
            #expect(reading.points.window(reading.window).count == 720)
            let cached = try await world.cached()
            #expect(cached.count == (isCached ? 30 : 0))
        }
    }

    @Test("a past window that touches the cache is read in parts, newest first, and stored")
    func touching() async throws {
        try await withWorld(cached: ago(100)..<ago(50)) { world in
            let (start, stop) = (ago(12_100), ago(20))
            let reading = try await SeriesReading.read(world.series, options(start, stop))
            #expect(
                world.source.windows == [ago(5_100)..<ago(100), ago(10_100)..<ago(5_100), start..<ago(10_100)]
                    + [ago(53)..<stop]
            )
            #expect(reading.points.window(reading.window).count == 12_080)
            let cached = try await world.cached()
            #expect(cached.first == start && cached.last == ago(21) && cached.holes == 0)
        }
    }

    @Test("a failed part of a window leaves no hole in the cache")
    func failure() async throws {
        try await withWorld(cached: ago(100)..<now) { world in
            world.source.fail([2])
            await #expect(throws: Source.Failure.self) {
                try await SeriesReading.read(world.series, options(ago(12_000), ago(10)))
            }
            let cached = try await world.cached()
            #expect(cached.first == ago(5_100) && cached.holes == 0)
        }
    }

    @Test("a window up to now that begins before the cache is read in parts")
    func present() async throws {
        try await withWorld(cached: ago(10)..<now) { world in
            let reading = try await SeriesReading.read(world.series, options(ago(12_000)))
            #expect(reading.points.window(reading.window).count >= 12_000)
            let lengths = world.source.windows.map { $0.lowerBound.duration(to: $0.upperBound) }
            #expect(lengths.allSatisfy { $0 <= .seconds(120 * 5_000) }, "\(lengths)")
            let cached = try await world.cached()
            #expect(cached.first == ago(12_000) && cached.holes == 0)
        }
    }

    /// The start of the window, the first point of the cache, and the clock of the source.
    static let single: [(start: Int?, cached: Int?, ahead: Duration?)] = [
        (nil, nil, nil), (700, nil, nil), (nil, 719, nil), (nil, 800, nil), (700, 700, nil),
        (nil, nil, .zero), (nil, nil, .seconds(-100)), (nil, nil, .seconds(100)), (nil, 719, .zero),
    ]

    @Test("a window up to now is read with one request, and is complete", arguments: single)
    func requests(start: Int?, cached: Int?, ahead: Duration?) async throws {
        try await withWorld(cached: cached.map { ago($0)..<now }, ahead: ahead) { world in
            let reading = try await SeriesReading.read(world.series, options(start.map { ago($0) }))
            #expect(world.source.windows.count == 1, "\(world.source.windows)")
            let first = try #require(reading.points.window(reading.window).first?.time)
            #expect(reading.window.lowerBound.duration(to: first) < .seconds(Self.step))
        }
    }

    @Test("a window that ends later is read from its start, by any clock", arguments: [-7_200, 0, 7_200])
    func later(ahead: Int) async throws {
        try await withWorld(cached: nil, ahead: .seconds(ahead)) { world in
            let reading = try await SeriesReading.read(world.series, options(nil, ago(-120)))
            let first = try #require(reading.points.window(reading.window).first?.time)
            #expect(reading.window.lowerBound.duration(to: first) < .seconds(Self.step))
        }
    }

    @Test("a polling command does not request the part of a step before its cache")
    func partOfStep() async throws {
        try await withWorld(cached: ago(10)..<now) { world in
            let start = ago(11).advanced(by: .seconds(1))
            let following = try await SeriesFollowing(world.series, options(start), period: nil)
            try await following.store.collect()
            #expect(world.source.windows.count == 1)
        }
    }

    @Test("a polling command reads from --start if its cache begins later, also after a failure")
    func following() async throws {
        try await withWorld(cached: ago(10)..<now) { world in
            let following = try await SeriesFollowing(world.series, options(ago(12_000)), period: nil)
            #expect(following.known.count == 10)
            world.source.fail([1, 3])
            await #expect(throws: Source.Failure.self) { try await following.store.collect() }
            try await following.store.collect()
            #expect(following.store.points.first?.time == ago(5_010))
            try await following.store.collect()
            #expect(following.store.points.first?.time == ago(12_000))
            let count = world.source.windows.count
            try await following.store.collect()
            #expect(world.source.windows.count == count + 1)
            let cached = try await world.cached()
            #expect(cached.first == ago(12_000) && cached.holes == 0)
        }
    }

    @Test("the default window contains the start of a step of any length")
    func longStep() throws {
        let options = try SeriesWindowOptions.parse(["--step", "172800"])
        let window = try options.window(now: now)
        #expect(window.lowerBound.duration(to: window.upperBound) == .seconds(4 * 86_400))
    }

    @Test("each batch of points is shown, also if a value returns to an earlier one")
    func batches() {
        var shown = SeriesPoints([SeriesPoint(time: now, value: 1)])
        func lines(_ inserted: [Double], _ replaced: [Double], removed: [Double] = []) -> [SeriesChange.Kind] {
            func points(_ values: [Double]) -> [SeriesPoint] { values.map { SeriesPoint(time: now, value: $0) } }
            let batch = SeriesChanges(
                number: 1,
                inserted: points(inserted),
                replaced: points(replaced),
                removed: points(removed)
            )
            return SeriesChange.changes(batch, shown: &shown).map(\.kind)
        }
        #expect(lines([1], []).isEmpty, "the cache has it")
        #expect(lines([2], []) == [.replaced], "another process has stored it")
        #expect(lines([], [1]) == [.replaced])
        #expect(lines([], [2]) == [.replaced])
        #expect(lines([], [], removed: [2]) == [.removed])
        #expect(shown.isEmpty)
    }
}
