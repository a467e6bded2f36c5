import Foundation
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

@Suite("helium conair with a cache that processes share", .timeLimit(.minutes(5)))
struct ConAirCacheTests {
    private static let period = ["--zone", "UTC", "--period", "100ms"]

    @Test("two processes of helium conair store to one cache, which has the points of both")
    func shared() async throws {
        try await ConAirToolWorld.with { world in
            let cache = ["--cache", world.path("cache.sqlite")]
            let first = try world.startProcess(["poll"] + Self.period + cache)
            try await world.store(4, world.step(ago: 4))
            #expect(try await first.line() == "inserted \(world.step(ago: 4).stamp) 4.0")
            let second = try world.startProcess(["poll"] + Self.period + cache)
            // The second one knows what the first one has stored before it came: only later changes show that it polls.
            let changes = Task {
                for value in 100..<700 {
                    try await world.store(Double(value), world.step(ago: 3))
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            _ = try await second.line()
            changes.cancel()
            _ = await changes.result
            // The log of the file stays as long as one of them has it open.
            #expect(try await second.end(SIGINT) == 0)
            #expect(try !world.logs(of: "cache.sqlite").isEmpty)
            for (steps, value) in [(3, -3.0), (1, 1)] { try await world.store(value, world.step(ago: steps)) }
            while try await first.line() != "inserted \(world.step(ago: 1).stamp) 1.0" {}
            #expect(try await first.end(SIGINT) == 0)
            #expect(try world.logs(of: "cache.sqlite").isEmpty)
            world.running.conAir.addGap(.distantPast..<Date(timeIntervalSinceNow: 86_400))
            let rows = try await world.conAir(["fetch", "--format", "csv"] + cache)
            #expect(rows.status == 0 && rows.stderr == "", "\(rows)")
            let values = rows.stdout.split(separator: "\n").map { $0.split(separator: ",").last }
            #expect(values == ["4.0", "-3.0", "1.0"], "what was printed is in the cache: \(rows)")
        }
    }

    @Test("one of two processes that find a damaged cache moves it aside")
    func damaged() async throws {
        try await ConAirToolWorld.with { world in
            let path = world.path("cache.sqlite")
            #expect(try await world.conAir(["fetch", "--cache", path]).status == 0)
            try Data("not a database\n".utf8).write(to: URL(fileURLWithPath: path))
            try await world.store(1, world.step(ago: 1))
            let fetch = ["fetch", "--cache", path, "--format", "csv"]
            async let first = Tool.run(world.process(fetch))
            async let second = Tool.run(world.process(fetch))
            let outcomes = try await [first, second]
            #expect(outcomes.allSatisfy { $0.status == 0 && $0.stdout.hasSuffix(",1.0\n") }, "\(outcomes)")
            #expect(outcomes.count { $0.stderr.contains("was moved to") } == 1, "\(outcomes)")
            let sound = try await world.conAir(["fetch", "--cache", path, "--format", "csv"])
            #expect(sound.status == 0 && sound.stderr == "", "\(sound)")
        }
    }

    @Test("a damaged cache that another process has open is not moved")
    func open() async throws {
        try await ConAirToolWorld.with { world in
            let path = world.path("cache.sqlite")
            try await world.store(1, world.step(ago: 4))
            #expect(try await world.conAir(["fetch", "--cache", path]).status == 0)
            // It stores nothing: changes would be in the log of the file, and hide the damage.
            let before = world.running.requests.count("GET", "/data/")
            let poll = try world.startProcess(["poll", "--cache", path, "--period", "60m"])
            try await eventually { world.running.requests.count("GET", "/data/") > before }
            try Data("not a database\n".utf8).write(to: URL(fileURLWithPath: path))
            let refused = try await world.conAir(["fetch", "--cache", path])
            #expect(refused.status == 1 && refused.stderr.contains("locked"), "\(refused)")
            #expect(!FileManager.default.fileExists(atPath: path + ".damaged-1"))
            _ = try await poll.end(SIGKILL)
            let moved = try await world.conAir(["fetch", "--cache", path, "--format", "csv"])
            #expect(moved.status == 0 && moved.stderr.contains("was moved to"), "\(moved)")
        }
    }

    @Test("a file that is not a cache is refused, and stays as it was", arguments: [10, 10_000])
    func foreign(length: Int) async throws {
        try await ConAirToolWorld.with { world in
            let text = Data(repeating: UInt8(ascii: "x"), count: length)
            let file = world.folder.appendingPathComponent("notes.txt")
            try text.write(to: file)
            let outcome = try await world.conAir(["fetch", "--cache", file.path])
            #expect(outcome.status == 1 && outcome.stderr.contains("not a cache"), "\(outcome)")
            #expect(try Data(contentsOf: file) == text)
            #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path) == ["notes.txt"])
        }
    }
}
