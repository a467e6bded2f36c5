import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@Suite("helium jetstream watch, set and edit", .timeLimit(.minutes(5)))
struct JetstreamLiveTests {
    private static let root = "0a5f0f6e-0c5c-4d9a-8f5e-aa0000000001"
    private static let card = "0a5f0f6e-0c5c-4d9a-8f5e-aa0000000002"
    private static let file = #"""
        {"classes":{"Card":{"properties":{"name":"string","count":"number","next":"Card"}}},
         "scopes":{"Board":{"root":"Card","initial":{"$uuid":"\#(root)","name":"first"}}},
         "refuse":{"connection":["deny"],"session":["deny"],"fetch":["denyFetch"]}}
        """#

    /// Starts `helium jetstream` as a task.
    private func start(_ arguments: [String], clock: any HeliumClock = SystemClock()) -> RunningTool {
        RunningTool(["jetstream"] + arguments, clock: clock)
    }

    /// Starts a server with a store.
    ///
    /// - Parameter isProcess: Whether the server is a process, which can be killed.
    /// - Returns: The server and the URL of its socket.
    private func serve(
        _ folder: URL,
        port: Int = 0,
        isProcess: Bool = false
    ) async throws -> (server: RunningTool, url: String) {
        let file = folder.appendingPathComponent("board.json")
        try Data(Self.file.utf8).write(to: file)
        let store = folder.appendingPathComponent("store.sqlite").path
        let log = Self.log(of: folder)
        try Data().write(to: log)
        let arguments = ["jetstream", "serve", "--scope", file.path, "--store", store, "--port", "\(port)"]
        let errors = try FileHandle(forUpdating: log)
        let server =
            isProcess
            ? try RunningTool(starting: Tool.process(arguments), errors: errors)
            : RunningTool(arguments, errors: errors)
        return (server, try #require(try await server.json()["jetstream", "webSocket"]?.stringValue))
    }

    private static func log(of folder: URL) -> URL { folder.appendingPathComponent("server.log") }

    private func withServer(
        isProcess: Bool = false,
        _ body: (RunningTool, String, URL) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let (server, url) = try await serve(folder, isProcess: isProcess)
            do {
                try await body(server, url, folder)
            } catch {
                _ = try? await server.end(isProcess ? SIGKILL : SIGTERM)
                throw error
            }
            _ = try await server.end(SIGTERM)
        }
    }

    private func set(_ url: String, _ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.run(["jetstream", "set", url, "Board"] + arguments)
    }

    @Test("helium jetstream watch prints changes, and continues after the server was killed and restarted")
    func watch() async throws {
        try await withTemporaryFolder { folder in
            let port = try LastingPort.next()
            let (first, url) = try await serve(folder, port: port, isProcess: true)
            let watches = (0..<2).map { _ in start(["watch", url, "Board", "--format", "json"]) }
            for watch in watches {
                let state = try await watch.json()
                #expect(state["event"] == "state" && state["rootUUID"] == .string(Self.root))
                #expect(state["objects", 0, "properties", "name"] == "first")
            }
            #expect(try await set(url, "root", "name", "\"second\"").status == 0)
            for watch in watches {
                let sync = try await watch.json()
                #expect(sync["event"] == "sync" && sync["fragments", 0, "properties", "name"] == "second")
            }
            _ = try await first.end(SIGKILL)
            let (second, _) = try await serve(folder, port: port, isProcess: true)
            let change = try await set(url, Self.root.uppercased(), "count", "3", "--timeout", "90s")
            let log = try String(contentsOf: Self.log(of: folder), encoding: .utf8)
            #expect(change.status == 0, "\(change), the server has ended: \(second.hasEnded), its log: \(log)")
            for watch in watches {
                var next = try await watch.json()
                // A server that had forgotten the session would send a state first, before the change or after it.
                var count = next["objects", 0, "properties", "count"]
                if count != 3 {
                    if next["event"] == "state" { next = try await watch.json() }
                    count = next["fragments", 0, "properties", "count"]
                }
                #expect(count == 3)
                var lines = [try await watch.errorLine()]
                // The connection may be lost again, and the session with it, before it works.
                while lines.last != "helium: reconnected", lines.count < 100 {
                    lines.append(try await watch.errorLine())
                }
                #expect(lines.last == "helium: reconnected", "\(lines)")
                #expect(lines.first?.hasPrefix("helium: no connection, retrying: ") == true, "\(lines)")
            }
            for watch in watches { #expect(try await watch.end(SIGINT) == 0) }
            #expect(try await second.end(SIGTERM) == 0)
        }
    }

    @Test("helium jetstream exits with 1 and the server's message if the server refuses")
    func refusals() async throws {
        try await withServer { _, url, _ in
            for (arguments, words) in [
                (["root", "nonsense", "1"], "nonsense"), (["root", "name", "1"], "name"),
                ([Self.card, "name", "1"], "the scope has no object \(Self.card)"),
                (["root", "name", "\"a\"", "--session-param", "deny=true"], "refused the session"),
                (["root", "name", "\"a\"", "--fetch-param", "denyFetch=true"], "refused the scope"),
            ] {
                let outcome = try await Tool.run(["jetstream", "set", url, "Board"] + arguments)
                #expect(outcome.status == 1 && outcome.stdout == "", "\(outcome)")
                #expect(outcome.stderr.hasPrefix("helium: ") && outcome.stderr.contains(words), "\(outcome)")
            }
            let missing = try await Tool.run(["jetstream", "watch", url, "Nothing"])
            #expect(missing.status == 1 && missing.stderr.contains("refused the scope"), "\(missing)")
        }
    }

    @Test("helium jetstream --header makes connection parameters, and a refused connection ends with 1")
    func deniedConnection() async throws {
        try await withServer { _, url, _ in
            let words = "helium: the server refused the connection: rejected by the parameter deny (rejected)\n"
            for (command, arguments) in [("set", ["root", "name", "\"a\""]), ("watch", []), ("edit", [])] {
                let deny = arguments + ["--header", "X-Jetstream-Deny: 1"]
                let outcome = try await Tool.run(["jetstream", command, url, "Board"] + deny)
                #expect(outcome.status == 1 && outcome.stdout == "", "\(outcome)")
                #expect(outcome.stderr.hasSuffix(words), "\(outcome)")
            }
            let allowed = ["root", "name", "\"a\"", "--header", "X-Jetstream-Deny: 0", "--header", "X-Other: 1"]
            let outcome = try await Tool.run(["jetstream", "set", url, "Board"] + allowed)
            #expect(outcome.status == 0, "\(outcome)")
        }
    }

    @Test("helium jetstream --cacert names the authority to trust for wss, without which the server is not trusted")
    func secure() async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = JetstreamServer.Configuration(scopes: try ScopeFile(parsing: Data(Self.file.utf8)))
            configuration.port = 0
            configuration.tls = certificates.server
            let server = try JetstreamServer(configuration)
            try await withRunning({ try await server.run() }) {
                let url = try await server.ready().webSocket.absoluteString
                #expect(url.hasPrefix("wss://"))
                let trusting = ["--cacert", certificates.authorityPath]
                let watch = start(["watch", url, "Board", "--format", "json"] + trusting)
                #expect(try await watch.json()["objects", 0, "properties", "name"] == "first")
                let change = ["jetstream", "set", url, "Board", "root", "name"]
                let trusted = try await Tool.run(change + ["\"second\""] + trusting)
                #expect(trusted.status == 0, "\(trusted)")
                #expect(try await watch.json()["fragments", 0, "properties", "name"] == "second")
                #expect(try await watch.end(SIGTERM) == 0)
                let untrusted = try await Tool.run(change + ["\"third\"", "--timeout", "1s"])
                #expect(untrusted.status == 1 && untrusted.stdout == "", "\(untrusted)")
                #expect(untrusted.stderr.hasPrefix("helium: "), "\(untrusted)")
                #expect(await server.control.objects(in: "Board").first?.properties["name"] == "second")
            }
        }
    }

    @Test("helium jetstream edit sends a change set for each line, and prints its reply")
    func edit() async throws {
        try await withServer { _, url, _ in
            let edit = start(["edit", url, "Board", "--format", "json"])
            #expect(try await edit.json()["event"] == "state")
            let add = #"{"type":"add","uuid":"\#(Self.card)","clsName":"Card","properties":{"name":"new"}}"#
            let refer =
                #"{"type":"change","uuid":"\#(Self.root)","clsName":"Card","properties":{"next":"\#(Self.card)"}}"#
            let bad = #"{"type":"change","uuid":"\#(Self.root)","clsName":"Card","properties":{"nonsense":1}}"#
            let text = """
                {"fragments":[\(add),\(refer)],"atomic":true}

                {"fragments":[\(bad)]}
                """
            try edit.say(text)
            let first = try await edit.json()
            #expect(first == ["event": "reply", "line": 1, "fragmentReplies": [[:], [:]]])
            // The last line has no end: it is one when the input ends.
            try edit.closeInput()
            let second = try await edit.json()
            #expect(second["line"] == 3 && second["fragmentReplies", 0, "error", "message"]?.stringValue != nil)
            #expect(try await edit.status() == 1)
            #expect(try await edit.errorLine().hasPrefix("helium: line 3: "))

            let watch = start(["watch", url, "Board"])
            #expect(try await watch.line().hasPrefix("is \(Self.root)  Card  {"))
            let card = try await watch.line()
            #expect(card.hasPrefix("is \(Self.card)  Card  {") && card.contains(#""name":"new""#), "\(card)")
            #expect(try await watch.end(SIGTERM) == 0)
        }
    }

    @Test("helium jetstream edit exits with 0 at the end of valid input, and with 1 at an invalid line")
    func editEnds() async throws {
        try await withServer { _, url, _ in
            let change =
                #"{"fragments":[{"type":"change","uuid":"\#(Self.root)","clsName":"Card","properties":{"count":1}}]}"#
            for (text, status) in [("", 0), ("\(change)\n\(change)\n", 0), ("\(change)\nnope\n\(change)\n", 1)]
                as [(String, Int32)]
            {
                let outcome = try await Tool.run(["jetstream", "edit", url, "Board", "--format", "json"], input: text)
                #expect(outcome.status == status, "\(outcome)")
                let replies = outcome.stdout.split(separator: "\n").filter { $0.contains(#""event":"reply""#) }
                let expected = text.isEmpty ? 0 : status == 0 ? 2 : 1
                #expect(replies.count == expected, "\(outcome)")
                if status == 1 { #expect(outcome.stderr.contains("line 2: it is not a JSON object"), "\(outcome)") }
            }
        }
    }

    @Test("helium jetstream edit exits with 1 if replies are missing after the timeout")
    func editTimeout() async throws {
        try await withServer(isProcess: true) { server, url, _ in
            // Its time passes when the command waits for the reply.
            let clock = TestClock()
            let edit = start(["edit", url, "Board", "--format", "json", "--timeout", "60s"], clock: clock)
            #expect(try await edit.json()["event"] == "state")
            // It takes what is sent, and does nothing.
            server.signal(SIGSTOP)
            defer { server.signal(SIGCONT) }
            #if os(Linux)
                // Its threads may run for some time after the call.
                let status = "/proc/\(try #require(server.processIdentifier))/stat"
                try await eventually { try String(contentsOfFile: status, encoding: .utf8).contains(") T ") }
            #endif
            let change =
                #"{"fragments":[{"type":"change","uuid":"\#(Self.root)","clsName":"Card","properties":{"count":1}}]}"#
            try edit.say("\(change)\n")
            try edit.closeInput()
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
            #expect(try await edit.status() == 1)
            #expect(try await edit.errorLine().hasPrefix("helium: no response within 60"))
        }
    }
}

extension RunningTool {
    /// Returns the next line of the standard output, which is JSON.
    fileprivate func json() async throws -> JSONValue { try JSONValue(parsing: try await line()) }
}
