import Foundation
import HeliumCore
import HeliumTesting
import NIOCore
import TestSupport
import Testing
import WireSupport

@Suite("helium cosm in trouble", .timeLimit(.minutes(5)))
struct CosmTroubleTests {
    private static func environment(_ port: Int) -> [String: String] {
        ["COSM_BASE_URL": "http://127.0.0.1:\(port)/v2", "COSM_API_KEY": "key-of-ann"]
    }

    // MARK: Reading

    @Test("helium cosm shows the rest of a feed, a history and a list, and names what it cannot read")
    func unreadable() async throws {
        let script: FaultServer.Script = { request in
            let body =
                switch request.target {
                case let target where target.contains("/datastreams/"):
                    #"{"id":"t","datapoints":[{"at":"2013-02-01T09:00:02Z","value":"7"},{"at":"soon","value":"8"}]}"#
                case let target where target.contains("/triggers"): #"[{"id":7},{"id":8,"threshold_value":{}}]"#
                case let target where target.contains("/keys"): #"{"keys":[{"label":"7"},{"id":8,"label":{}}]}"#
                default: #"{"id":1,"datastreams":[{"id":"7"},{"id":"8","at":"soon"}]}"#
                }
            return [.answer(fields: ["Content-Type: application/json"], body: body)]
        }
        try await FaultServer.run(script) { server in
            let environment = ["COSM_BASE_URL": server.url + "/v2", "COSM_API_KEY": "key-of-ann"]
            for (command, name) in [
                (["feed", "1"], "8"), (["history", "1", "t"], "1 without a known id"), (["triggers"], "8"),
                (["keys"], "8"),
            ] {
                for format in ["table", "json"] {
                    let outcome = try await Tool.run(
                        ["cosm"] + command + ["--format", format],
                        environment: environment
                    )
                    #expect(outcome.status == 0 && outcome.stdout.contains("7"), "\(command): \(outcome)")
                    #expect(outcome.stderr.hasPrefix("helium: UNREADABLE 1: \(name) ("), "\(command): \(outcome)")
                }
            }
        }
    }

    // MARK: Pushing

    private static let unconfirmed =
        "helium: 0 points stored; the 2 points read after them were not confirmed\nhelium: interrupted\n"

    /// Starts `helium cosm push` with two lines, on a server that takes the request and never responds.
    private func withSilentServer(
        _ start: (_ port: Int) throws -> RunningTool,
        _ body: (RunningTool) async throws -> Void
    ) async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            asking.yield()
            try await peer.readToEnd()
        } _: { server async throws in
            let push = try start(server.port)
            try push.say("1\n2\n")
            for await _ in asked { break }
            try await body(push)
        }
    }

    @Test("a silent server delays the end of helium cosm push by five seconds")
    func silentServer() async throws {
        let clock = TestClock()
        try await withSilentServer { port in
            RunningTool(["cosm", "push", "1", "temp"], environment: Self.environment(port), clock: clock)
        } _: { push in
            push.signal(SIGINT)
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(500))
            #expect(try await push.errorLine().contains("send a second signal to end immediately"))
            await clock.waitForSleepers()
            #expect(clock.nextWakeTime == .seconds(5))
            clock.advance(by: .milliseconds(4500))
            let outcome = try await push.outcome()
            #expect(outcome.status == SIGINT && outcome.stdout.isEmpty, "\(outcome)")
            #expect(outcome.stderr == Self.unconfirmed)
        }
    }

    @Test(
        "a silent server does not delay the end of helium cosm push after two signals",
        arguments: [[SIGINT, SIGINT], [SIGTERM, SIGINT]]
    )
    func twoSignals(signals: [Int32]) async throws {
        // The five seconds never pass.
        let clock = TestClock()
        try await withSilentServer { port in
            RunningTool(["cosm", "push", "1", "temp"], environment: Self.environment(port), clock: clock)
        } _: { push in
            push.signal(signals[0])
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(500))
            #expect(try await push.errorLine().contains("send a second signal to end immediately"))
            push.signal(signals[1])
            let outcome = try await push.outcome()
            #expect(outcome.status == signals[0] && outcome.stdout.isEmpty, "\(outcome)")
            #expect(outcome.stderr == Self.unconfirmed)
        }
    }

    @Test(
        "a signal drops the incomplete line of helium cosm push, and the end of its input does not",
        arguments: [true, false]
    )
    func incompleteLine(isSignal: Bool) async throws {
        try await FaultServer.run({ _ in [.answer(body: "{}")] }) { server in
            // The clock never reaches the notice about waiting.
            let push = RunningTool(
                ["cosm", "push", "1", "temp"],
                environment: Self.environment(server.port),
                clock: isSignal ? TestClock() : SystemClock()
            )
            try push.say("20.51\n20.52\n2")
            // The first two are stored, so all of the text was read.
            try #require(await server.wait { $0.requestCount == 1 })
            if isSignal { push.signal(SIGINT) } else { try push.closeInput() }
            let outcome = try await push.outcome()
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout == (isSignal ? "2 points stored\n" : "3 points stored\n"))
            let note = "helium: the last line was incomplete and is not stored\n"
            #expect(outcome.stderr == (isSignal ? note : ""))
            #expect(server.requestCount == (isSignal ? 1 : 2))
        }
    }

    @Test("a signal drops the incomplete line of helium cosm push also if the end of its input arrives first")
    func incompleteLineOfPipeline() async throws {
        try await FaultServer.run({ _ in [.answer(body: "{}")] }) { server in
            let clock = TestClock()
            let push = RunningTool(
                ["cosm", "push", "1", "temp"],
                environment: Self.environment(server.port),
                clock: clock
            )
            try push.say("20.51\n20.52\n2")
            try #require(await server.wait { $0.requestCount == 1 })
            // Ctrl-C ends all commands of a pipeline.
            try push.closeInput()
            await clock.waitForSleepers()
            push.signal(SIGINT)
            clock.advance(by: .milliseconds(200))
            let outcome = try await push.outcome()
            #expect(outcome.status == 0 && outcome.stdout == "2 points stored\n", "\(outcome)")
            #expect(outcome.stderr == "helium: the last line was incomplete and is not stored\n")
            #expect(server.requestCount == 1)
        }
    }

    @Test("helium cosm push waits for a server that is away, and fails if it stays away")
    func serverIsAway() async throws {
        try await withTemporaryFolder { folder in
            let store = ["--store", folder.appendingPathComponent("store").path]
            let address = ["--port", "\(try LastingPort.next())"]
            var (id, environment) = ("", [String: String]())
            try await RunningServe.with(address + store) { server in
                environment = server.cosmEnvironment
                let created = try await Tool.run(
                    ["cosm", "create", "--title", "Shed", "--datastream", "temp"],
                    environment: environment
                )
                id = created.stdout.trimmingCharacters(in: .newlines)
            }
            let push = RunningTool(["cosm", "push", id, "temp"], environment: environment)
            try push.say("1\n")
            #expect(try await push.errorLine().hasPrefix("helium: no connection, retrying: failed: "))
            try await RunningServe.with(address + store) { _ in
                #expect(try await push.errorLine() == "helium: reconnected")
                try push.say("2\n")
                try push.closeInput()
                let outcome = try await push.outcome()
                #expect(outcome.status == 0 && outcome.stdout == "2 points stored\n", "\(outcome)")
            }
            let vain = RunningTool(["cosm", "push", id, "temp", "--timeout", "1s"], environment: environment)
            try vain.say("1\n")
            let outcome = try await vain.outcome()
            #expect(outcome.status == 1 && outcome.stdout.isEmpty)
            #expect(outcome.stderr.contains("0 points stored; the 1 point read after them is not\n"), "\(outcome)")
        }
    }

    @Test("helium cosm push reports an input that cannot be read", arguments: ["</", "<&-"])
    func noInput(redirection: String) async throws {
        // What a closed standard input becomes is decided at the start of a process.
        try await withTemporaryFolder { folder in
            let command =
                "COSM_API_KEY=k '\(Tool.executable.path)' cosm push 1 temp --base-url http://127.0.0.1:1/v2 \(redirection)"
            let outcome = try await Tool.shell(command, in: folder)
            let reason = redirection == "</" ? "Is a directory" : "it is closed"
            #expect(outcome.status == 1 && outcome.stderr == "helium: stdin can't be read: \(reason)\n", "\(outcome)")
        }
    }

    // MARK: Histories

    private static func answer(_ body: String, to peer: WirePeer) async throws {
        try await peer.write(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(body)"
        )
    }

    @Test("helium cosm history prints the rows of a long history as they arrive", arguments: ["table", "csv"])
    func rowsAsTheyCome(format: String) async throws {
        try await WireServer.run { peer in
            let head = try await peer.readHead()
            // The second stretch is never told.
            guard head.contains("start=2013-02-01T00") else { return try await peer.readToEnd() }
            let body = #"{"id":"temp","datapoints":[{"at":"2013-02-01T01:00:00Z","value":"1"}]}"#
            try await Self.answer(body, to: peer)
        } _: { server async throws in
            let arguments = ["history", "1", "temp", "--all", "--start", "2013-02-01T00:00:00Z", "--format", format]
            let history = RunningTool(["cosm"] + arguments, environment: Self.environment(server.port))
            if format == "table" {
                #expect(try await history.line() == "AT                           VALUE")
                #expect(try await history.line() == "2013-02-01T01:00:00.000000Z  1")
            } else {
                #expect(try await history.line() == "2013-02-01T01:00:00.000000Z,1")
            }
            history.signal(SIGINT)
            #expect(try await history.outcome().stdout.isEmpty)
        }
    }

    @Test("helium cosm history reports once what rows cannot contain")
    func lossesOfRows() async throws {
        try await WireServer.run { peer in
            let head = try await peer.readHead()
            let points = #"{"at":"2013-02-01T01:00:00Z","value":" 1","max":"2"},{"at":"2013-02-01T02:00:00Z"}"#
            let isFirst = head.contains("start=2013-02-01T00")
            let body = #"{"id":"temp","datapoints":[\#(isFirst ? points : "")]}"#
            try await Self.answer(body, to: peer)
        } _: { server async throws in
            let outcome = try await Tool.run(
                ["cosm", "history", "1", "temp", "--all", "--start", "2013-02-01T00:00:00Z", "--duration", "12hours"]
                    + ["--format", "csv"],
                environment: Self.environment(server.port)
            )
            #expect(outcome.status == 0 && outcome.stdout == "2013-02-01T01:00:00.000000Z, 1\n", "\(outcome)")
            #expect(
                outcome.stderr == """
                    helium: csv can't represent: max
                    helium: csv output: a point without a value has no row
                    helium: csv output: value: spaces around a cell are trimmed

                    """
            )
        }
    }

    @Test("helium cosm history prints a document with the members of the service's")
    func document() async throws {
        try await RunningServe.with { server in
            func cosm(_ arguments: [String]) async throws -> String {
                let outcome = try await Tool.run(["cosm"] + arguments, environment: server.cosmEnvironment)
                #expect(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome)")
                return outcome.stdout.trimmingCharacters(in: .newlines)
            }
            let id = try await cosm(["create", "--title", "Shed", "--datastream", "temp=5"])
            let history = ["history", id, "temp", "--average", "--interval", "3600", "--duration", "2hours"]
            for arguments in [history, history + ["--all"]] {
                let json = try await cosm(arguments + ["--format", "json"])
                #expect(json.contains(#""datapoints_function":"average""#) && json.contains(#""current_value":"5""#))
                #expect(json.contains(#""id":"temp""#) && json.contains(#""version":"1.0.0""#), "\(json)")
                let xml = try await cosm(arguments + ["--format", "xml"])
                #expect(xml.contains(#"<datapoints function="average">"#) && xml.contains("<current_value at="))
            }
            let feed = try await cosm(["feed", id, "--format", "xml"])
            #expect(feed.contains("/feeds/\(id).xml</feed>"), "\(feed)")
        }
    }

    // MARK: Watching

    @Test("helium cosm watch reports that it is connected again")
    func connectedAgain() async throws {
        try await RunningServe.with { station in
            let created = try await Tool.run(
                ["cosm", "create", "--title", "Shed", "--datastream", "temp"],
                environment: station.cosmEnvironment
            )
            let id = created.stdout.trimmingCharacters(in: .newlines)
            let port = URL(string: station.ready.cosm.webSocket)?.port ?? 0
            let (cuts, cut) = AsyncStream.makeStream(of: Void.self)
            try await WireServer.run { peer in
                let cutting = Task { [channel = peer.channel] in
                    for await _ in cuts { return try await channel.close() }
                }
                try await peer.splice(to: port)
                cutting.cancel()
            } _: { server async throws in
                // The key of the environment goes to the addresses of the environment only.
                let socket = ["COSM_SOCKET_URL": "ws://127.0.0.1:\(server.port)/"]
                let environment = station.cosmEnvironment.merging(socket) { $1 }
                let watch = RunningTool(["cosm", "watch", id], environment: environment)
                #expect(try await watch.errorLine() == "helium: subscribed to /feeds/\(id)")
                cut.yield()
                #expect(try await watch.errorLine().hasPrefix("helium: no connection, retrying: "))
                #expect(try await watch.errorLine() == "helium: reconnected")
                #expect(try await watch.end(SIGINT) == 0)
            }
        }
    }

    @Test("helium cosm watch fails with the reason if it cannot connect in time")
    func nobodyToWatch() async throws {
        let arguments = ["watch", "1", "--timeout", "1s", "--socket-url", "ws://127.0.0.1:1/"]
        // Its time passes when the connection has failed.
        let clock = TestClock()
        let watch = RunningTool(["cosm"] + arguments, environment: Self.environment(1), clock: clock)
        #expect(try await watch.errorLine().hasPrefix("helium: no connection, retrying: connectionFailed: "))
        await clock.waitForDeadlines()
        clock.advance(by: .seconds(1))
        let outcome = try await watch.outcome()
        #expect(outcome.status == 1 && outcome.stdout.isEmpty)
        let told = outcome.stderr.split(separator: "\n").last ?? ""
        #expect(
            told.hasPrefix("helium: no subscription within 1.0 seconds: connectionFailed: "),
            "\(outcome)"
        )
    }

    // MARK: Files

    @Test("helium cosm exits with 1, path, line and reason for an unreadable or invalid file")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("feed.json").path
            try Data("{\n\"datastreams\": \"x\"}".utf8).write(to: URL(fileURLWithPath: file))
            for command in [["create"], ["update", "1"]] {
                let wrong = try await Tool.run(
                    ["cosm"] + command + ["--file", file],
                    environment: Self.environment(1)
                )
                #expect(wrong.status == 1, "\(wrong)")
                #expect(
                    wrong.stderr == "helium: \(file):2:16: datastreams: expected a list, found a string\n",
                    "\(wrong)"
                )
                let missing = try await Tool.run(
                    ["cosm"] + command + ["--file", "/nonexistent.json"],
                    environment: Self.environment(1)
                )
                #expect(
                    missing.status == 1
                        && missing.stderr.hasPrefix("helium: /nonexistent.json: the file can't be read: ")
                )
            }
            let key = try await Tool.run(
                ["cosm", "feeds", "--base-url", "http://127.0.0.1:1/v2", "--key-file", "/nonexistent"]
            )
            #expect(
                key.status == 1
                    && key.stderr
                        == "helium: the key file can't be found: give the path of a file, and not what is in it\n",
                "\(key)"
            )
        }
    }
}
