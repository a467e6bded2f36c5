import ConAir
import ConAirSQLite
import Foundation
import GRDB
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

@Suite("helium conair poll, killed and shared", .timeLimit(.minutes(5)), .tags(.random))
struct ConAirCrashTests {
    @Test("a process that is killed while it writes the cache loses nothing, and leaves nothing wrong")
    func kills() async throws {
        try await ConAirToolWorld.with { world in
            let series = GrowingSeries(world, seed: ProofLength.seed(18))
            var random = ProofLength.random(seed: 30)
            // It depends on the machine how many kills hit a write. There are more lives until enough have.
            let lives = ProofLength.count(6, full: 300)
            let (wantedKills, wantedPoints) = (max(1, lives / 7), max(1, lives / 9))
            var known: Set<SeriesTime> = []
            var (killsWhileWriting, livesWithPoints) = (0, 0)
            for life in 1...10 * lives
            where life <= lives || killsWhileWriting < wantedKills || livesWithPoints < wantedPoints {
                try await series.change()
                let poll = try PollingProcess(world, series)
                // The moment of the kill: in or after the first write of points, or anywhere.
                let isAimed = !random.oneIn(4)
                let longest = isAimed ? [300, 3_000, 100_000, 500_000][random.below(4)] : 1_200_000
                let delay = Duration.microseconds(random.below(longest))
                // For as long as the process lives: the moment of one write may be missed on a busy machine.
                let growth = Task { try await series.change(times: .max) }
                if try await poll.kill(after: delay, ofWriting: isAimed) { killsWhileWriting += 1 }
                growth.cancel()
                do { try await growth.value } catch is CancellationError {}

                let cached = try await series.cached(in: world.path("cache.sqlite"))
                #expect(cached.aside == nil, "life \(life): a kill damages nothing")
                #expect(try await series.isSound(world.path("cache.sqlite")), "life \(life)")
                let wrong = await series.wrong(cached.points)
                #expect(wrong.isEmpty, "life \(life): \(wrong)")
                let times = Set(cached.points.map(\.time))
                #expect(known.isSubset(of: times), "life \(life): points are gone")
                if times.count > known.count { livesWithPoints += 1 }
                known = times
            }
            #expect(killsWhileWriting >= wantedKills, "only \(killsWhileWriting) of \(10 * lives) kills hit a write")
            #expect(livesWithPoints >= wantedPoints, "only \(livesWithPoints) lives have stored anything")
            let last = try await world.conAir(series.arguments + ["--count", "1"])
            #expect(last.status == 0 && last.stderr.isEmpty, "\(last)")
            let cached = try await series.cached(in: world.path("cache.sqlite"))
            #expect(try await cached.points == series.stored())
        }
    }

    @Test("two processes share one file at the same time")
    func shared() async throws {
        try await ConAirToolWorld.with { world in
            let series = GrowingSeries(world, seed: ProofLength.seed(19))
            for _ in 0..<15 { try await series.change() }
            let polls = [try PollingProcess(world, series), try PollingProcess(world, series)]
            for _ in 0..<4 { try await series.change(times: 2) }
            // A process that starts late reads from the cache what the other one stored, and prints only later changes.
            try await eventually {
                try await series.change(times: 1)
                return try polls.allSatisfy { try !$0.output().isEmpty }
            }
            // A process polls again only after its changes are written to the cache. Once both have printed two more
            // changes, one after the other, no write of older values is in progress.
            for _ in 0..<2 {
                try await series.change()
                let line = await series.newestLine
                try await eventually { try polls.allSatisfy { try $0.output().contains(line) } }
            }
            let expected = try await series.stored()
            try await eventually { try await series.cached(in: world.path("cache.sqlite")).points == expected }
            for poll in polls {
                #expect(try await poll.stop() == 0)
                #expect(try poll.errors() == "")
            }
            let cached = try await series.cached(in: world.path("cache.sqlite"))
            #expect(cached.points == expected && cached.aside == nil)
            #expect(await expected.count == series.count)
        }
    }
}

/// A series on a server that grows, and whose newest value changes.
private actor GrowingSeries {
    private static let step = Duration.seconds(1)

    private let world: ConAirToolWorld
    private let start: SeriesTime
    private var random: SeededRandom
    private var newest: SeriesTime
    private var newestValue = 0.0
    /// All values that the service has had at a time.
    private var values: [SeriesTime: Set<Double>] = [:]

    init(_ world: ConAirToolWorld, seed: UInt64) {
        self.world = world
        random = SeededRandom(seed: seed)
        // Nothing is later than the present time.
        start = SeriesTime(seconds: Int64(Date().timeIntervalSince1970) - 20 * 3_600)
        newest = start
    }

    /// The arguments of `helium conair` with the cache.
    nonisolated var arguments: [String] {
        [
            "poll", "--step", "1", "--period", "100ms", "--zone", "UTC", "--start", "\(start)", "--cache",
            world.path("cache.sqlite"),
        ]
    }

    /// The number of points of all changes.
    var count: Int { values.count }

    /// The end of the line that a process prints for the newest value.
    var newestLine: String { " \(newest) \(newestValue)\n" }

    /// Replaces the newest value, and adds up to 7 points: 300 lives must not reach the present time, after which no process
    /// asks for more.
    func change() async throws {
        var readings = [reading(at: newest)]
        for _ in 0..<random.below(8) {
            newest = newest.advanced(by: Self.step * (random.oneIn(20) ? 5 : 1))
            readings.append(reading(at: newest))
        }
        try await world.running.conAir.store(readings)
    }

    /// Changes so many times, with pauses.
    func change(times: Int) async throws {
        for _ in 0..<times {
            try await change()
            try await Task.sleep(for: .milliseconds(80))
        }
    }

    private func reading(at time: SeriesTime) -> ConAirReading {
        let value = Double(random.below(10_000)) / 8
        values[time, default: []].insert(value)
        newestValue = value
        return ConAirReading(date: time.date, value: value)
    }

    /// Points that the service has never had.
    func wrong(_ points: [SeriesPoint]) -> [SeriesPoint] {
        points.filter { values[$0.time]?.contains($0.value) != true }
    }

    /// Returns the points of the service.
    func stored() async throws -> [SeriesPoint] {
        let source = try ConAirHTTPSource(url: world.running.ready.conAir.data)
        let end = newest.advanced(by: Self.step)
        do {
            let reply = try await source.points(in: start..<end, step: Self.step)
            await source.close()
            return reply.points
        } catch {
            await source.close()
            throw error
        }
    }

    /// Returns the points of the cache, and the path to which a damaged file was moved.
    func cached(in path: String) async throws -> (points: [SeriesPoint], aside: String?) {
        let cache = try SQLiteSeriesCache(path: path)
        let key = SeriesKey(source: world.running.ready.conAir.data.absoluteString, step: Self.step)
        let points = await Result { try await cache.points(of: key) }
        try cache.close()
        return (try points.get(), cache.movedTo)
    }

    /// Whether a file is a sound database.
    nonisolated func isSound(_ path: String) async throws -> Bool {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let report = try await queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        try queue.close()
        return report == ["ok"]
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// A running `helium conair poll`.
private struct PollingProcess: Sendable {
    private let process: Process
    private let cache: String
    private let outputFile: URL
    private let errorFile: URL
    private let requests: RequestLog
    /// The number of requests before it was started.
    private let requestCount: Int

    init(_ world: ConAirToolWorld, _ series: GrowingSeries) throws {
        cache = world.path("cache.sqlite")
        requests = world.running.requests
        requestCount = requests.count
        let id = UUID().uuidString
        outputFile = world.folder.appendingPathComponent("output-\(id)")
        errorFile = world.folder.appendingPathComponent("errors-\(id)")
        for file in [outputFile, errorFile] { try Data().write(to: file) }
        process = world.process(series.arguments)
        // A pipe would have no reader after the kill.
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
    }

    /// Returns the text that was printed on stdout.
    func output() throws -> String { try String(contentsOf: outputFile, encoding: .utf8) }

    /// Returns the text that was printed on stderr.
    func errors() throws -> String { try String(contentsOf: errorFile, encoding: .utf8) }

    /// Ends the process by a signal, and gives its exit code.
    func stop() async throws -> Int32 {
        Foundation.kill(process.processIdentifier, SIGTERM)
        try await eventually { !process.isRunning }
        return process.terminationStatus
    }

    /// Kills the process.
    ///
    /// - Parameters:
    ///   - delay: The time after the start.
    ///   - isAimed: Whether the time begins when the process begins to write points instead.
    /// - Returns: Whether the process was writing when it was killed.
    func kill(after delay: Duration, ofWriting isAimed: Bool) async throws -> Bool {
        let isWriting = try await withCheckedThrowingContinuation { continuation in
            // A thread of its own, because it must not wait for others.
            Thread.detachNewThread { continuation.resume(with: Result { try strike(after: delay, isAimed) }) }
        }
        try await eventually { !process.isRunning }
        let errors = try errors()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL, "\(errors)")
        return isWriting
    }

    private func strike(after delay: Duration, _ isAimed: Bool) throws -> Bool {
        defer { Foundation.kill(process.processIdentifier, SIGKILL) }
        let end = ContinuousClock.now + Tool.limit
        // Before its first request, the process writes while it opens the file.
        while isAimed, requests.count == requestCount || !holdsWriteLock() {
            guard ContinuousClock.now < end, process.isRunning else { throw POSIXError(.ETIMEDOUT) }
            usleep(100)
        }
        let moment = ContinuousClock.now + delay
        while ContinuousClock.now < moment {}
        return holdsWriteLock()
    }

    /// Whether the process is in a transaction that writes: SQLite then holds a lock of one byte in the file beside the
    /// log ("WAL-mode File Format", section 2.3.1).
    private func holdsWriteLock() -> Bool {
        let descriptor = open("\(cache)-shm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        // This process has no lock that closing the file would release: it opens the cache only between two lives.
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 120
        lock.l_len = 1
        guard fcntl(descriptor, F_GETLK, &lock) == 0 else { return false }
        return lock.l_type != Int16(F_UNLCK) && lock.l_pid == process.processIdentifier
    }
}
