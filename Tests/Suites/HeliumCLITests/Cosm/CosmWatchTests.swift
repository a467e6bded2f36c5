import Foundation
import HeliumKit
import TestSupport
import Testing

@Suite("helium cosm watch", .timeLimit(.minutes(5)))
struct CosmWatchTests {
    private func watch(_ arguments: [String], _ server: RunningServe) -> RunningTool {
        RunningTool(["cosm", "watch"] + arguments, environment: server.cosmEnvironment)
    }

    private func cosm(_ arguments: [String], _ server: RunningServe) async throws -> String {
        let outcome = try await Tool.run(["cosm"] + arguments, environment: server.cosmEnvironment)
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.stdout.trimmingCharacters(in: .newlines)
    }

    private func withFeed(_ body: (String, RunningServe) async throws -> Void) async throws {
        try await RunningServe.with { server in
            let id = try await cosm(
                ["create", "--title", "Shed", "--datastream", "temp=1", "--datastream", "note=a"],
                server
            )
            try await body(id, server)
        }
    }

    @Test("helium cosm watch prints the changes of a feed until a signal arrives", arguments: [SIGINT, SIGTERM])
    func feed(signal: Int32) async throws {
        try await withFeed { id, server in
            let process = Tool.process(["cosm", "watch", id, "--current"], environment: server.cosmEnvironment)
            let watch = try RunningTool(starting: process)
            #expect(try await watch.line().hasSuffix("Z  temp  1"))
            #expect(try await watch.line().hasSuffix("Z  note  a"))
            _ = try await cosm(["update", id, "--datastream", "temp=2"], server)
            #expect(try await watch.line().hasSuffix("Z  temp  2"))
            watch.signal(signal)
            let outcome = try await watch.outcome()
            #expect(outcome.status == 0 && outcome.stderr == "helium: subscribed to /feeds/\(id)\n", "\(outcome)")
        }
    }

    @Test(
        "helium cosm watch prints the values of a datastream in every format",
        arguments: ["table", "json", "csv", "xml"]
    )
    func datastream(format: String) async throws {
        try await withFeed { id, server in
            let watch = watch([id, "temp", "--current", "--format", format], server)
            switch format {
            case "table": #expect(try await watch.line().hasSuffix("Z  1"))
            case "csv": #expect(try await watch.line().hasSuffix("Z,1"))
            case "json":
                let line = try JSONValue(parsing: try await watch.line())
                #expect(line["origin"] == "initial" && line["body", "current_value"] == "1")
            default: #expect(try await watch.line().hasPrefix("<?xml"))
            }
            _ = try await cosm(["push", id, "temp"], server, input: "2\n")
            var line = ""
            repeat { line = try await watch.line() } while format == "xml" && !line.contains(">2</current_value>")
            #expect(line.contains("2"))
            #expect(try await watch.end(SIGINT) == 0)
        }
    }

    @Test("helium cosm watch ends when its output is closed")
    func nobodyReads() async throws {
        try await withFeed { id, server in
            let process = Tool.process(["cosm", "watch", id, "--current"], environment: server.cosmEnvironment)
            let watch = try RunningTool(starting: process)
            _ = try await watch.line()
            try watch.stopReading()
            // The first may still fit somewhere; by the second it knows.
            try await eventually {
                _ = try await cosm(["update", id, "--datastream", "temp=2"], server)
                return watch.hasEnded
            }
        }
    }

    @Test("helium cosm watch exits with 1 if the server refuses, and with 64 without a socket")
    func failures() async throws {
        try await withFeed { id, server in
            let missing = try await Tool.run(["cosm", "watch", "999"], environment: server.cosmEnvironment)
            #expect(missing.status == 1 && missing.stderr.contains("notFound"), "\(missing)")
            let wrong = try await Tool.run(
                ["cosm", "watch", id, "--key", "not-the-key"],
                environment: server.cosmEnvironment
            )
            #expect(wrong.status == 1 && wrong.stderr.contains("unauthorized") && !wrong.stderr.contains("not-the-key"))
            let environment = server.cosmEnvironment.filter { $0.key != "COSM_SOCKET_URL" }
            let nowhere = try await Tool.run(["cosm", "watch", id], environment: environment)
            #expect(nowhere.status == 64 && nowhere.stderr.contains("COSM_SOCKET_URL"))
        }
    }

    private func cosm(_ arguments: [String], _ server: RunningServe, input: String) async throws -> String {
        try await Tool.run(["cosm"] + arguments, environment: server.cosmEnvironment, input: input).stdout
    }
}
