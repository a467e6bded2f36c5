import ConAir
import ConAirSQLite
import Foundation
import HeliumTesting
import Testing

@Suite("Cache of time series that two stores share", .timeLimit(.minutes(5)))
struct SharedCacheTests {
    private static let noon = SeriesTime(seconds: 1_355_227_200)

    private func time(_ steps: Int) -> SeriesTime { Self.noon.advanced(by: .seconds(steps * 120)) }

    private func points(_ steps: some Sequence<Int>, _ value: Double) -> [SeriesPoint] {
        steps.map { SeriesPoint(time: time($0), value: value) }
    }

    @Test("after a failed write, a store keeps the points that another store has written to the same file")
    func failedWrite() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "conair-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "cache.sqlite").path
        let (file, other) = (try SQLiteSeriesCache(path: path), try SQLiteSeriesCache(path: path))
        let (cache, source) = (FailingOnceCache(file), ListSource())
        let clock = TestClock(wallTime: .seconds(1_355_227_200))
        let store = try TimeSeriesStore(source: source, step: .seconds(120), cache: cache, clock: clock)
        await source.set(points(-5..<0, 1))
        try await store.collect()

        await cache.failNextWrite()
        await source.set(points([-1, 0], 2))
        clock.advance(by: .seconds(120))
        try await store.collect()
        #expect((store.state.cacheError as? FailingOnceCache.Failure) != nil)

        // The other store begins 12 days earlier, and gets a correction.
        var options = TimeSeriesStore.Options()
        options.initialStart = time(-9000)
        let early = ListSource()
        await early.set(points([-9000, -8000], 3) + points([-5], 4))
        let empty = EmptyAtFirstCache(other)
        let second = try TimeSeriesStore(
            source: early,
            step: .seconds(120),
            options: options,
            cache: empty,
            clock: clock
        )
        try await second.collect()

        try await store.collect()
        #expect(store.state.cacheError == nil)
        let expected = points([-9000, -8000], 3) + points([-5], 4) + points(-4 ... -2, 1) + points([-1, 0], 2)
        let key = SeriesKey(source: source.id, step: .seconds(120))
        #expect(try await other.points(of: key) == expected)
        try file.close()
        try other.close()
    }
}

/// A source of given points.
private actor ListSource: TimeSeriesSource {
    nonisolated let id = "list"
    private var values: [SeriesTime: Double] = [:]

    func set(_ points: [SeriesPoint]) { for point in points { values[point.time] = point.value } }

    func points(in window: Range<SeriesTime>, step: Duration) -> SeriesReply {
        SeriesReply(
            points: values.filter { window.contains($0.key) }.map { SeriesPoint(time: $0.key, value: $0.value) }
        )
    }
}

/// A cache in a file of which one write fails, like one for which another process holds the lock too long.
private actor FailingOnceCache: SeriesCache {
    struct Failure: Error {}

    private let file: SQLiteSeriesCache
    private var fails = false

    init(_ file: SQLiteSeriesCache) { self.file = file }

    func failNextWrite() { fails = true }

    func points(of key: SeriesKey) async throws -> [SeriesPoint] { try await file.points(of: key) }

    func store(_ points: [SeriesPoint], removingBefore boundary: SeriesTime?, of key: SeriesKey) async throws {
        if fails {
            fails = false
            throw Failure()
        }
        try await file.store(points, removingBefore: boundary, of: key)
    }
}

/// A cache in a file that was empty when it was read, and that another store has filled since.
private struct EmptyAtFirstCache: SeriesCache {
    private let file: SQLiteSeriesCache

    init(_ file: SQLiteSeriesCache) { self.file = file }

    func points(of key: SeriesKey) async throws -> [SeriesPoint] { [] }

    func store(_ points: [SeriesPoint], removingBefore boundary: SeriesTime?, of key: SeriesKey) async throws {
        try await file.store(points, removingBefore: boundary, of: key)
    }
}
