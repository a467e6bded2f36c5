import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@Suite("helium conair poll and watch", .timeLimit(.minutes(5)))
struct ConAirFollowTests {
    private static let zone = ["--zone", "UTC", "--period", "100ms"]

    @Test("helium conair poll prints a line for each change until a signal arrives", arguments: [SIGINT, SIGTERM])
    func changes(signal: Int32) async throws {
        try await ConAirToolWorld.with { world in
            let (first, second) = (world.step(ago: 3), world.step(ago: 2))
            try await world.store(20.5, first)
            let poll = try world.startProcess(["poll"] + Self.zone)
            #expect(try await poll.line() == "inserted \(first.stamp) 20.5")
            try await world.store(21, second)
            #expect(try await poll.line() == "inserted \(second.stamp) 21.0")
            try await world.store(22, second)
            #expect(try await poll.line() == "replaced \(second.stamp) 22.0")
            #expect(try await poll.end(signal) == 0)
        }
    }

    @Test("helium conair poll ends after --count, and reports a failure of the last poll")
    func count() async throws {
        try await ConAirToolWorld.with { world in
            try await world.store(20.5, world.step(ago: 3))
            let cache = ["--cache", world.path("cache.sqlite")]
            let twice = try await world.conAir(["poll", "--count", "2"] + Self.zone + cache)
            #expect(twice.status == 0 && twice.stdout.split(separator: "\n").count == 1, "\(twice)")
            let known = try await world.conAir(["poll", "--count", "1"] + Self.zone + cache)
            #expect(known.status == 0 && known.stdout == "", "what the cache has is known: \(known)")
            world.running.faults.inject(.status(404), .path("/data/"))
            let failed = try await world.conAir(["poll", "--count", "1"] + Self.zone)
            #expect(failed.status == 1 && failed.stderr.hasPrefix("helium: a poll failed: "), "\(failed)")
        }
    }

    @Test("helium conair poll ends after --count while its output is not read")
    func blockedPipe() async throws {
        try await ConAirToolWorld.with { world in
            // More than a pipe takes.
            let readings = (1...3_000).map { ConAirReading(date: world.step(ago: $0), value: Double($0)) }
            try await world.running.conAir.store(readings)
            let start = ["--start", world.step(ago: 3_000).stamp, "--count", "2"]
            // The period is longer than a poll: one that is due before the second is counted is also started.
            let poll = try world.startProcess(["poll", "--zone", "UTC", "--period", "2s"] + start)
            func count() -> Int { world.running.requests.count("GET", "/data/") }
            try await eventually { count() == 2 }
            try await Task.sleep(for: .milliseconds(2_500))
            #expect(count() == 2)
            #expect(try await poll.rest().split(separator: "\n").count == 3_000)
            #expect(try await poll.status() == 0)
        }
    }

    @Test("helium conair watch --compare prints no points of the day before without a terminal")
    func compared() async throws {
        try await ConAirToolWorld.with { world in
            let step = world.step(ago: 3)
            try await world.store(1, world.step(ago: 730))
            try await world.store(2, step)
            let watch = world.start(["watch", "--compare"] + Self.zone)
            #expect(try await watch.line() == "\(step.stamp) 2.0")
            #expect(try await watch.end(SIGINT) == 0)
        }
    }

    @Test("helium conair poll continues after a failure")
    func failure() async throws {
        try await ConAirToolWorld.with { world in
            let step = world.step(ago: 3)
            try await world.store(20.5, step)
            let token = world.running.faults.inject(.status(404), .path("/data/"))
            let poll = world.start(["poll"] + Self.zone)
            #expect(try await poll.errorLine().contains("404"))
            world.running.faults.remove(token)
            #expect(try await poll.line() == "inserted \(step.stamp) 20.5")
            #expect(try await poll.end(SIGINT) == 0)
        }
    }

    @Test(
        "poll, watch and serve report points that are dropped because they are ahead of the server",
        arguments: [["poll"], ["watch"], ["serve", "--dygraphs", "/nowhere"]]
    )
    func ahead(command: [String]) async throws {
        try await ConAirToolWorld.with { world in
            let body = #"[{"ts":"2099-01-01T00:00:00Z","value":1},{"ts":"2098-01-01T00:00:00Z","value":1}]"#
            let script: FaultServer.Script = { _ in
                [.answer(fields: ["Content-Type: application/json"], body: body)]
            }
            try await FaultServer.run(script) { server in
                // A long period: the second poll would report them again.
                let arguments = ["--source", "\(server.url)/data/", "--period", "60m"]
                let tool = world.start(command + arguments)
                var line = try await tool.errorLine()
                if line.contains("no dygraphs") { line = try await tool.errorLine() }
                #expect(line == "helium: 2 points are more than an hour ahead of the server")
                #expect(try await tool.end(SIGINT) == 0)
            }
        }
    }

    @Test("helium conair watch prints a line for each point without a terminal, and ends at --stop or a closed pipe")
    func piped() async throws {
        try await ConAirToolWorld.with { world in
            let step = world.step(ago: 3)
            try await world.store(20.5, step)
            let watch = try world.startProcess(["watch"] + Self.zone)
            #expect(try await watch.line() == "\(step.stamp) 20.5")
            try await world.store(21, step)
            #expect(try await watch.line() == "\(step.stamp) 21.0")
            try watch.stopReading()
            try await world.store(22, step)
            #expect(try await watch.status() == 0)
            // A whole second, because --stop has no fraction.
            let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
            let clock = TestClock(wallTime: .seconds(now.timeIntervalSince1970))
            let stop = ["--stop", now.addingTimeInterval(3_600).stamp]
            // The next poll is later than the stop.
            let stopped = world.start(["watch", "--zone", "UTC", "--period", "600m"] + stop, clock: clock)
            #expect(try await stopped.line() == "\(step.stamp) 22.0")
            try await eventually { clock.nextWakeTime == .seconds(3_600) }
            #expect(!stopped.hasEnded)
            clock.advance(by: .seconds(3_600))
            #expect(try await stopped.outcome() == Tool.Outcome(status: 0, stdout: "", stderr: ""))
        }
    }

    /// Reads a terminal until it shows something, then sends a signal to the command.
    ///
    /// - Returns: Everything that the terminal got.
    private func shown(
        on terminal: PseudoTerminal,
        until text: String,
        of watch: RunningTool,
        signal: Int32
    ) async throws -> String {
        var shown = ""
        try await eventually {
            shown += terminal.shown()
            return shown.contains(text)
        }
        #expect(try await watch.end(signal) == 0)
        return shown + terminal.shown()
    }

    @Test(
        "helium conair watch draws on a terminal, and restores it on a signal",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    )
    func terminal(signal: Int32) async throws {
        try await ConAirToolWorld.with { world in
            for steps in 1...30 { try await world.store(Double(steps % 7), world.step(ago: steps)) }
            let arguments = [
                "--title", "Office\u{1B}[2J", "--unit", "°C", "--start", world.step(ago: 40).stamp,
            ]
            let terminal = try #require(PseudoTerminal(columns: 60, rows: 15))
            let process = world.process(["watch"] + Self.zone + arguments, ["LANG": "C.UTF-8"])
            let watch = try RunningTool(starting: process, output: terminal.process)
            let text = try await shown(on: terminal, until: "updated at ", of: watch, signal: signal)
            #expect(text.hasPrefix("\u{1B}[?1049h") && text.hasSuffix("\u{1B}[?1049l"), "\(text.debugDescription)")
            #expect(text.contains("Office?[2J") && text.contains("°C") && text.contains("\u{1B}[36m"))
            #expect(text.unicodeScalars.contains { 0x2800...0x28FF ~= $0.value })
        }
    }

    @Test("helium conair watch draws without colours and UTF-8 if variables say so, and lines on a dumb terminal")
    func plain() async throws {
        try await ConAirToolWorld.with { world in
            try await world.store(3, world.step(ago: 3))
            func shown(_ environment: [String: String], until text: String) async throws -> String {
                let terminal = try #require(PseudoTerminal(columns: 60, rows: 15))
                let watch = world.start(["watch"] + Self.zone, environment, output: terminal.process)
                return try await self.shown(on: terminal, until: text, of: watch, signal: SIGINT)
            }
            let text = try await shown(["NO_COLOR": "1", "LC_ALL": "C"], until: "updated at ")
            #expect(text.utf8.allSatisfy { $0 < 0x80 } && !text.contains("\u{1B}[36m"))
            let lines = try await shown(["TERM": "dumb"], until: "Z 3.0")
            #expect(!lines.contains("\u{1B}"))
        }
    }

    @Test("helium conair watch restores the terminal while it is stopped")
    func suspended() async throws {
        try await ConAirToolWorld.with { world in
            let terminal = try #require(PseudoTerminal(columns: 60, rows: 15))
            let process = world.process(["watch"] + Self.zone)
            async let outcome = Tool.run(process, output: terminal.process)
            var shown = ""
            func wait(for text: String, sending signal: Int32? = nil) async throws {
                shown = ""
                try await eventually {
                    // More than once: the tool may not have stopped yet.
                    if let signal { kill(process.processIdentifier, signal) }
                    shown += terminal.shown()
                    return shown.contains(text)
                }
            }
            try await wait(for: "No data")
            kill(process.processIdentifier, SIGTSTP)
            try await wait(for: "\u{1B}[?1049l")
            try await wait(for: "\u{1B}[?1049h", sending: SIGCONT)
            try await wait(for: "No data")
            kill(process.processIdentifier, SIGTERM)
            #expect(try await outcome.status == 0)
        }
    }
}
