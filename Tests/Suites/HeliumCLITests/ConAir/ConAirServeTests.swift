import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("helium conair serve", .timeLimit(.minutes(5)))
struct ConAirServeTests {
    private func page(_ url: URL) async throws -> String {
        let (data, _) = try await URLSession.shared.data(from: url)
        return String(decoding: data, as: UTF8.self)
    }

    @Test("helium conair serve shows the series on a page, and stops on a signal", arguments: [SIGINT, SIGTERM])
    func serves(signal: Int32) async throws {
        try await ConAirToolWorld.with { world in
            try await world.store(21.4, world.step(ago: 2))
            // The first poll is at once. With a short period, the page of a slow machine is stale now and then.
            let arguments = [
                "serve", "--port", "0", "--title", "Office <1>", "--unit", "°C", "--period", "10m", "--dygraphs",
                "/nowhere",
            ]
            let tool = try world.startProcess(arguments)
            let line = try await tool.line()
            let match = try #require(line.wholeMatch(of: /\{"page":"(http:\/\/127\.0\.0\.1:[0-9]+\/)"\}/))
            let url = try #require(URL(string: String(match.output.1)))
            let note = try await tool.errorLine()
            #expect(note.hasPrefix("helium: no dygraphs in /nowhere"))
            var text = ""
            // A value is shown when it arrives, and the state changes with the end of the response.
            try await eventually {
                text = try await page(url)
                return text.contains("class=\"current\"")
            }
            #expect(text.contains("<p id=\"value\">21.40 °C</p>"))
            #expect(text.contains("<h1>Office &lt;1&gt;</h1>"))
            let picture = try await page(url.appending(path: "chart.svg"))
            #expect(picture.hasPrefix("<svg"))
            #expect(try await tool.end(signal) == 0)
        }
    }

    @Test("helium conair serve reports a failing source on the page and on stderr")
    func failing() async throws {
        try await ConAirToolWorld.with { world in
            let tool = world.start(
                ["serve", "--source", "http://127.0.0.1:1/data/", "--period", "100ms", "--dygraphs", "/nowhere"]
            )
            let line = try await tool.line()
            let url = try #require(URL(string: String(line.dropFirst(9).dropLast(2))))
            _ = try await tool.errorLine()
            let failure = try await tool.errorLine()
            #expect(failure.hasPrefix("helium: a poll failed: "))
            var text = ""
            // While a poll waits for its reply, there is no next attempt.
            try await eventually {
                text = try await page(url)
                return text.contains("Stale: no response yet. Next attempt at ")
            }
            #expect(text.contains("class=\"stale\""))
            #expect(text.contains("<p id=\"error\">Last error: "))
            #expect(try await tool.end(SIGTERM) == 0)
        }
    }

    @Test(
        "helium conair serve exits with 64 for usage errors",
        arguments: [
            ["--port", "65536"], ["--port", "x"], ["--host", ""], ["--dygraphs", ""], ["--period", "x"], ["extra"],
            ["--stop", "2012-12-11T00:00:00Z"],
        ]
    )
    func usage(arguments: [String]) async throws {
        try await ConAirToolWorld.with { world in
            let outcome = try await world.conAir(["serve"] + arguments)
            #expect(outcome.status == 64, "\(outcome.stderr)")
            #expect(outcome.stdout.isEmpty)
        }
    }

    @Test("helium conair serve exits with 1 if it cannot listen on the address")
    func address() async throws {
        try await ConAirToolWorld.with { world in
            let outcome = try await world.conAir(["serve", "--host", "192.0.2.1", "--dygraphs", "/nowhere"])
            #expect(outcome.status == 1)
            #expect(outcome.stdout.isEmpty)
            #expect(outcome.stderr.contains("192.0.2.1"))
        }
    }

    @Test("helium serve has the readings of its sensor unless the sensor is off", arguments: [true, false])
    func sensor(isOn: Bool) async throws {
        try await RunningServe.with(isOn ? [] : ["--conair-sensor", "off"]) { server in
            let source = ["--source", server.ready.conair]
            let outcome = try await Tool.run(["conair", "fetch", "--format", "csv"] + source)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout.isEmpty != isOn, "\(outcome)")
        }
    }
}
