import Foundation
import HeliumTesting
import TestSupport
import Testing

@Suite("helium cosm plot, and Cosm as a source", .timeLimit(.minutes(5)))
struct CosmPlotTests {
    private static let window = ["--start", "2013-02-01T09:00:00Z", "--stop", "2013-02-01T10:00:00Z", "--zone", "UTC"]

    /// A datastream with a value every 30 seconds for half an hour, and two texts.
    private func withFeed(_ body: (String, RunningServe) async throws -> Void) async throws {
        try await RunningServe.with { server in
            let create = ["cosm", "create", "--title", "Shed <1>", "--datastream", "temp=1"]
            let created = try await Tool.run(create, environment: server.cosmEnvironment)
            let id = created.stdout.trimmingCharacters(in: .newlines)
            let rows = (1...60).map { "\(Date(timeIntervalSince1970: 1_359_709_200 + Double($0) * 30).stamp),\($0)\n" }
            let push = ["cosm", "push", id, "temp"]
            let pushed = try await Tool.run(push, environment: server.cosmEnvironment, input: rows.joined())
            #expect(pushed.status == 0)
            try await body(id, server)
        }
    }

    @Test("a series of Cosm has the mean of each step, with the time of its start", arguments: [120, 300, 90, 45])
    func source(step: Int) async throws {
        try await withFeed { id, server in
            let arguments = ["--source", "cosm:\(id)/temp", "--format", "csv", "--step", "\(step)"] + Self.window
            let outcome = try await Tool.run(["conair", "fetch"] + arguments, environment: server.cosmEnvironment)
            #expect(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
            let rows = outcome.stdout.split(separator: "\n").map { $0.split(separator: ",") }
            // The points from the start of each step on, from nine o'clock on.
            let groups = Dictionary(grouping: 1...60) { $0 * 30 / step }
            #expect(rows.count == groups.count)
            for (row, start) in zip(rows, groups.keys.sorted()) {
                let stamp = Date(timeIntervalSince1970: 1_359_709_200 + Double(start * step)).stamp
                let values = try #require(groups[start])
                #expect(row.first.map(String.init) == stamp)
                let value = try #require(row.last.flatMap { Double($0) })
                #expect(abs(value - Double(values.reduce(0, +)) / Double(values.count)) < 1e-9)
            }
        }
    }

    @Test("a series that was copied to Cosm equals its source", arguments: [60, 120, 3600])
    func copy(step: Int) async throws {
        try await withFeed { id, server in
            func rows(_ stream: String) async throws -> String {
                let source = ["--source", "cosm:\(id)/\(stream)", "--step", "\(step)", "--format", "csv"]
                let fetch = ["conair", "fetch"] + source + Self.window
                let outcome = try await Tool.run(fetch, environment: server.cosmEnvironment)
                #expect(outcome.status == 0 && outcome.stderr == "", "\(outcome)")
                return outcome.stdout
            }
            let source = try await rows("temp")
            #expect(source.hasPrefix("2013-02-01T09:00:00Z,"))
            let push = ["cosm", "push", id, "copy"]
            let pushed = try await Tool.run(push, environment: server.cosmEnvironment, input: source)
            #expect(pushed.status == 0, "\(pushed)")
            #expect(try await rows("copy") == source)
        }
    }

    @Test("a chart of helium cosm plot has the feed's title, as text and as a picture")
    func plot() async throws {
        try await withFeed { id, server in
            let arguments = ["cosm", "plot", id, "temp"] + Self.window
            let text = try await Tool.run(
                arguments,
                environment: server.cosmEnvironment.merging(["LANG": "C.UTF-8"]) { $1 }
            )
            #expect(text.status == 0 && text.stdout.hasPrefix("Shed <1> temp ") && text.stderr == "", "\(text)")
            #expect(!text.stdout.contains("\u{1B}") && text.stdout.contains("09:20"))
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("temp.svg").path
                let look = ["--svg", file, "--horizon", "--unit", "kg"]
                let outcome = try await Tool.run(arguments + look, environment: server.cosmEnvironment)
                #expect(outcome.status == 0 && outcome.stdout == "" && outcome.stderr == "", "\(outcome)")
                let picture = try String(contentsOfFile: file, encoding: .utf8)
                #expect(picture.contains("<title>Shed &lt;1&gt; temp</title>") && picture.contains(" kg"))
                let piped = try await Tool.run(
                    arguments + ["--svg", "-", "--width", "360"],
                    environment: server.cosmEnvironment
                )
                #expect(piped.status == 0 && piped.stdout.contains("viewBox=\"0 0 360 300\"") && piped.stderr == "")
                let bad = try await Tool.run(arguments + ["--svg", folder.path], environment: server.cosmEnvironment)
                #expect(bad.status == 1 && bad.stderr.contains("can't be written"), "\(bad)")
            }
            let gone = try await Tool.run(["cosm", "plot", "999", "temp"], environment: server.cosmEnvironment)
            #expect(gone.status == 1 && gone.stderr.contains("notFound"), "\(gone)")
        }
    }

    @Test("a hostile feed cannot control the terminal of helium cosm plot")
    func stranger() async throws {
        let title = #"a\u001b[2J\u009b2J"#
        let point = #"{"at":"2013-02-01T09:30:00Z","value":"20"},{"at":"2013-02-01T09:31:00Z","value":"\u001b[2J"}"#
        let script: FaultServer.Script = { request in
            let stream = #"{"id":"t","unit":{"symbol":"\u001b[2J"}}"#
            let body =
                request.target.contains("datastreams/t")
                ? #"{"id":"t","datapoints":[\#(point)]}"# : #"{"id":1,"title":"\#(title)","datastreams":[\#(stream)]}"#
            return [.answer(fields: ["Content-Type: application/json"], body: body)]
        }
        try await FaultServer.run(script) { server in
            let terminal = try #require(PseudoTerminal(columns: 60, rows: 15))
            let environment = ["COSM_BASE_URL": server.url + "/v2", "COSM_API_KEY": "key-of-ann", "NO_COLOR": "1"]
            let plot = ["cosm", "plot", "1", "t"] + Self.window
            let outcome = try await Tool.run(plot, environment: environment, output: terminal.process)
            let shown = terminal.shown()
            #expect(
                outcome.status == 0 && outcome.stderr.contains("1 elements had an invalid time or value"),
                "\(outcome)"
            )
            #expect(!shown.contains("\u{1B}") && !shown.contains("\u{9B}") && shown.contains("a?[2J"), "\(shown)")
        }
    }
}
