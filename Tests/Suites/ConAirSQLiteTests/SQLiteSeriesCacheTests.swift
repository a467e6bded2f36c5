import ConAir
import Foundation
import GRDB
import HeliumTesting
import Testing

@testable import ConAirSQLite

@Suite("Cache of time series in a file", .timeLimit(.minutes(5)))
struct SQLiteSeriesCacheTests {
    private static let key = SeriesKey(source: "http://a/data/", step: .seconds(120))
    private static let start = SeriesTime(seconds: 1_355_227_200)

    private func withPath(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "conair \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "a%?#.sqlite").path)
    }

    private func points(_ count: Int, from start: SeriesTime = Self.start) -> [SeriesPoint] {
        (0..<count).map { SeriesPoint(time: start.advanced(by: .seconds($0 * 120)), value: Double($0) / 3) }
    }

    @Test("a cache stores points exactly, replaces them, and removes those before a time")
    func storing() async throws {
        try await withPath { path in
            let cache = try SQLiteSeriesCache(path: path)
            #expect(cache.movedTo == nil)
            #expect(try await cache.points(of: Self.key).isEmpty)
            var expected = points(3000)
            try await cache.store(expected.shuffled(), removingBefore: nil, of: Self.key)
            #expect(try await cache.points(of: Self.key) == expected)
            expected[7].value = .leastNonzeroMagnitude
            expected[8].value = -.greatestFiniteMagnitude
            // Of several with one time, the last counts.
            try await cache.store(
                [SeriesPoint(time: expected[7].time, value: 1)] + expected[7...8],
                removingBefore: nil,
                of: Self.key
            )
            expected.removeFirst(5)
            try await cache.store([], removingBefore: expected.first?.time, of: Self.key)
            #expect(try await cache.points(of: Self.key) == expected)
            try cache.close()
            let again = try SQLiteSeriesCache(path: path)
            #expect(try await again.points(of: Self.key) == expected)
            try again.close()
            // The log is in the file, also after reads.
            for suffix in ["-wal", "-shm"] { #expect(!FileManager.default.fileExists(atPath: path + suffix)) }
        }
    }

    @Test("a cache separates series, also those of one source with two steps")
    func keys() async throws {
        try await withPath { path in
            let cache = try SQLiteSeriesCache(path: path)
            let others = [
                SeriesKey(source: "http://a/data/", step: .seconds(3600)),
                SeriesKey(source: "http://a/data", step: .seconds(120)),
                SeriesKey(source: "HTTP://a/data/", step: .milliseconds(120)),
            ]
            try await cache.store(points(5), removingBefore: nil, of: Self.key)
            for (index, key) in others.enumerated() {
                try await cache.store(points(index + 1), removingBefore: Self.start, of: key)
            }
            #expect(try await cache.points(of: Self.key).count == 5)
            for (index, key) in others.enumerated() { #expect(try await cache.points(of: key).count == index + 1) }
            try await cache.store([], removingBefore: SeriesTime(microseconds: .max), of: others[0])
            #expect(try await cache.points(of: Self.key).count == 5)
            try cache.close()
        }
    }

    @Test("the file of a cache is in WAL mode, marked, and for its owner only")
    func file() async throws {
        try await withPath { path in
            let cache = try SQLiteSeriesCache(path: path)
            try await cache.store(points(1), removingBefore: nil, of: Self.key)
            for suffix in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(suffix)")
            }
            try cache.close()
            let queue = try DatabaseQueue(path: path)
            let marks = try await queue.read { database in
                try (
                    Int32.fetchOne(database, sql: "PRAGMA application_id"),
                    String.fetchOne(database, sql: "PRAGMA journal_mode")
                )
            }
            #expect(marks.0 == 0x4865_4341)
            #expect(marks.1 == "wal")
            try queue.close()
        }
    }

    @Test("two connections share a cache, and each sees the other's points")
    func sharing() async throws {
        try await withPath { path in
            let caches = [try SQLiteSeriesCache(path: path), try SQLiteSeriesCache(path: path)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, cache) in caches.enumerated() {
                    group.addTask {
                        for part in 0..<50 {
                            let start = Self.start.advanced(by: .seconds((part * 2 + index) * 1200))
                            try await cache.store(points(10, from: start), removingBefore: nil, of: Self.key)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for cache in caches {
                let stored = try await cache.points(of: Self.key)
                #expect(stored.count == 1000)
                #expect(stored.map(\.time) == points(1000).map(\.time))
                try cache.close()
            }
        }
    }

    @Test("a damaged cache is moved aside, and a new one is created", arguments: ["text", "page", "header"])
    func damage(kind: String) async throws {
        try await withPath { path in
            let cache = try SQLiteSeriesCache(path: path)
            try await cache.store(points(5000), removingBefore: nil, of: Self.key)
            try cache.close()
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            switch kind {
            case "text": bytes = Data("not a database\n".utf8)
            case "page":
                for page in 2..<(bytes.count / 4096) {
                    bytes.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xA5, count: 64))
                }
            default: bytes.replaceSubrange(0..<16, with: Data(repeating: 0x20, count: 16))
            }
            try bytes.write(to: URL(fileURLWithPath: path))
            let new = try SQLiteSeriesCache(path: path)
            let aside = try #require(new.movedTo)
            #expect(aside == path + ".damaged-1")
            #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
            #expect(try await new.points(of: Self.key).isEmpty)
            try await new.store(points(2), removingBefore: nil, of: Self.key)
            try new.close()
            let again = try SQLiteSeriesCache(path: path)
            #expect(again.movedTo == nil)
            #expect(try await again.points(of: Self.key).count == 2)
            try again.close()
        }
    }

    @Test("a damaged cache is moved aside once by concurrent openers")
    func damageRace() async throws {
        try await withPath { path in
            try SQLiteSeriesCache(path: path).close()
            try Data("not a database\n".utf8).write(to: URL(fileURLWithPath: path))
            let moved = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let cache = try SQLiteSeriesCache(path: path)
                        try await cache.store(points(1), removingBefore: nil, of: Self.key)
                        defer { try? cache.close() }
                        return cache.movedTo
                    }
                }
                return try await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            #expect(moved == [path + ".damaged-1"])
            let cache = try SQLiteSeriesCache(path: path)
            #expect(try await cache.points(of: Self.key).count == 1)
            try cache.close()
        }
    }

    @Test(
        "a cache of a newer version or another program is refused and unchanged",
        arguments: [true, false]
    )
    func refusal(isNewer: Bool) async throws {
        try await withPath { path in
            let cache = try SQLiteSeriesCache(path: path)
            try await cache.store(points(10), removingBefore: nil, of: Self.key)
            try cache.close()
            let queue = try DatabaseQueue(path: path)
            try await queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: isNewer
                        ? "INSERT INTO grdb_migrations VALUES ('conair-2')" : "PRAGMA application_id = 0x54657374"
                )
                try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = #expect(throws: SeriesCacheError.self) { try SQLiteSeriesCache(path: path) }
            #expect(error?.kind == (isNewer ? .newer : .foreign))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path
            )
            #expect(!files.contains { $0.contains("damaged") })
        }
    }

    @Test("a cache that a newer version migrates meanwhile is refused")
    func migratedMeanwhile() async throws {
        try await withPath { path in
            let cache = try SQLiteSeriesCache(path: path)
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('conair-2')") }
            try queue.close()
            await #expect { try await cache.store(points(1), removingBefore: nil, of: Self.key) } throws: {
                ($0 as? SeriesCacheError)?.kind == .newer
            }
            await #expect { try await cache.points(of: Self.key) } throws: { ($0 as? SeriesCacheError)?.kind == .newer }
            try cache.close()
        }
    }

    @Test("a write waits for another connection's lock as long as the busy timeout, by default 5 seconds")
    func lockedByOther() async throws {
        try await withPath { path in
            let usual = try CacheFile(path: path).open()
            #expect(try usual.pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 5000)
            // GRDB's own limit for readers, who need a lock only while the write-ahead log is reset.
            #expect(try usual.pool.read { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") } == 10_000)
            try usual.pool.close()

            let opened = try CacheFile(path: path, busyTimeout: 0.1).open()
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let start = ContinuousClock.now
            let insert = "INSERT INTO series (source, step) VALUES ('a', 1)"
            let error = #expect(throws: DatabaseError.self) { try opened.pool.write { try $0.execute(sql: insert) } }
            #expect(ContinuousClock.now - start >= .milliseconds(90))
            #expect((error.map(SeriesCacheError.translated) as? SeriesCacheError)?.kind == .locked)
            try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try opened.pool.write { try $0.execute(sql: insert) }
            try other.close()
            try opened.pool.close()
        }
    }

    @Test("a damaged cache that another connection has open is not moved")
    func damagedAndOpen() async throws {
        try await withPath { path in
            let first = try SQLiteSeriesCache(path: path)
            try await first.store(points(3), removingBefore: nil, of: Self.key)
            try first.close()
            // Without changes, which would be in the log and hide the damage.
            let open = try SQLiteSeriesCache(path: path)
            try Data("not a database\n".utf8).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: SeriesCacheError.self) { try CacheFile(path: path, patience: 0.2).open() }
            #expect(error?.kind == .locked)
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
            try? open.close()
            let new = try SQLiteSeriesCache(path: path)
            #expect(new.movedTo == path + ".damaged-1")
            try new.close()
        }
    }

    @Test("a cache that is opened by a symbolic link has one lock, and is moved itself when it is damaged")
    func link() async throws {
        try await withPath { path in
            let link = path + "-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            // The link leads to no file yet.
            let first = try SQLiteSeriesCache(path: link)
            try await first.store(points(3), removingBefore: nil, of: Self.key)
            try first.close()
            let open = try SQLiteSeriesCache(path: path)
            #expect(try await open.points(of: Self.key).count == 3)
            try Data("not a database\n".utf8).write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: SeriesCacheError.self) { try CacheFile(path: link, patience: 0.2).open() }
            #expect(error?.kind == .locked)
            try? open.close()
            let new = try SQLiteSeriesCache(path: link)
            #expect(
                new.movedTo.map { ($0 as NSString).lastPathComponent } == (path as NSString).lastPathComponent
                    + ".damaged-1"
            )
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
            #expect(!FileManager.default.fileExists(atPath: link + "-lock"))
            try new.close()
        }
    }

    @Test("a file that is not a cache is refused", arguments: [Data("my notes\n".utf8), Data(count: 10_000)])
    func foreign(bytes: Data) async throws {
        try await withPath { path in
            try bytes.write(to: URL(fileURLWithPath: path))
            let error = #expect(throws: SeriesCacheError.self) { try SQLiteSeriesCache(path: path) }
            #expect(error?.kind == .foreign)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
            #expect(!FileManager.default.fileExists(atPath: path + "-lock"))
        }
    }

    @Test("the error of a cache names a missing folder, and a folder instead of the file")
    func unusable() async throws {
        try await withPath { path in
            let missing = #expect(throws: SeriesCacheError.self) {
                try SQLiteSeriesCache(path: path + "/none/a.sqlite")
            }
            #expect(missing?.kind == .cannotOpen && missing?.message == "the folder of the file does not exist")
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let notAFile = #expect(throws: SeriesCacheError.self) { try SQLiteSeriesCache(path: folder) }
            #expect(notAFile?.kind == .foreign)
        }
    }
}
