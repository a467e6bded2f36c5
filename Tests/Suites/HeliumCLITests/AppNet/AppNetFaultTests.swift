import Foundation
import HeliumTesting
import TestSupport
import Testing
import WireSupport

/// Tests of errors on this machine, and of errors that are detected before anything is sent.
@Suite("helium appnet: refusals", .timeLimit(.minutes(3)))
struct AppNetFaultTests {
    /// No server listens there, so a command that sends a request exits with status 1.
    private static let nowhere = ["--base-url", "http://127.0.0.1:9/stream/0", "--token", "t"]

    private static func withFile(_ body: (String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.txt")
            try Data("x".utf8).write(to: file)
            try await body(file.path)
        }
    }

    @Test(
        "helium appnet refuses an invalid message before its files are uploaded",
        arguments: [
            ["", "--reply-to", "1"], ["x", "--annotation", #"{"type":"net.app.core.oembed","value":{}}"#],
            [
                "x", "--dialect", "pnut", "--annotation",
                #"{"type":"a.b","value":{"+net.app.core.place":{"factual_id":"1"}}}"#,
            ],
        ]
    )
    func messages(arguments: [String]) async throws {
        try await Self.withFile { file in
            let outcome = try await Tool.run(["appnet", "send", "1", "--attach", file] + arguments + Self.nowhere)
            #expect(outcome.status == 64, "\(outcome)")
        }
    }

    @Test("helium appnet refuses an invalid media type", arguments: ["text/plain\nX: 1", "text", ""])
    func mediaTypes(type: String) async throws {
        try await Self.withFile { file in
            let outcome = try await Tool.run(["appnet", "files", "upload", file, "--media-type", type] + Self.nowhere)
            #expect(outcome.status == 64 && outcome.stderr.contains("--media-type"), "\(outcome)")
        }
    }

    @Test("helium appnet refuses arguments that are not text")
    func bytes() async throws {
        let outcome = try await Tool.shell(
            "'\(Tool.executable.path)' appnet send 1 \"$(printf 'bad\\377text')\" --base-url http://127.0.0.1:9 --token t",
            in: URL(fileURLWithPath: "/tmp")
        )
        #expect(outcome.status == 64 && outcome.stderr == "helium: argument 4 is not valid UTF-8\n", "\(outcome)")
    }

    @Test("helium appnet and helium cosm show the rest of a list, and name what they cannot read")
    func unreadable() async throws {
        let script: FaultServer.Script = { request in
            let messages = #"{"id":"3","text":"c\ud83d"},{"id":"2","entities":{"links":"none"}},{"id":"1","text":"a"}"#
            let feeds = #"{"id":1,"title":"a"},{"id":2,"location":{"lat":"52,5"}}"#
            let body =
                request.target.contains("messages")
                ? #"{"meta":{"code":200,"min_id":"1","max_id":"3","more":false},"data":[\#(messages)]}"#
                : #"{"totalResults":2,"results":[\#(feeds)]}"#
            return [.answer(fields: ["Content-Type: application/json"], body: body)]
        }
        try await FaultServer.run(script) { server in
            let service = ["--base-url", server.url + "/stream/0", "--token", "t"]
            let listed = try await Tool.run(["appnet", "messages", "1"] + service)
            let rows = listed.stdout.split(separator: "\n").dropFirst()
            #expect(listed.status == 0 && rows.map { $0.last } == ["a", "\u{FFFD}"], "\(listed)")
            #expect(listed.stderr.hasPrefix("helium: UNREADABLE 1: 2 ("), "\(listed)")
            let feeds = try await Tool.run(
                ["cosm", "feeds", "--all"],
                environment: ["COSM_BASE_URL": server.url + "/v2", "COSM_API_KEY": "key-of-ann"]
            )
            #expect(feeds.status == 0 && feeds.stdout.contains("a"), "\(feeds)")
            #expect(feeds.stderr.hasPrefix("helium: UNREADABLE 1: 2 ("), "\(feeds)")
        }
    }

    @Test("helium appnet and helium cosm show the pages before one that cannot be read, and fail")
    func lastPage() async throws {
        let script: FaultServer.Script = { request in
            let isLast = ["before_id=3", "page=2"].contains { request.target.contains($0) }
            let body =
                switch (request.target.contains("messages"), isLast) {
                case (true, false):
                    #"{"meta":{"code":200,"min_id":"3","max_id":"3","more":true},"data":[{"id":"3","text":"kept"}]}"#
                case (true, true): #"{"meta":{"code":200},"data":[5]}"#
                case (false, false): #"{"totalResults":2,"results":[{"id":1,"title":"kept"}]}"#
                case (false, true): #"{"totalResults":2,"results":5}"#
                }
            return [.answer(fields: ["Content-Type: application/json"], body: body)]
        }
        try await FaultServer.run(script) { server in
            let listed = try await Tool.run(
                ["appnet", "messages", "1", "--limit", "0", "--base-url", server.url + "/stream/0", "--token", "t"]
            )
            #expect(listed.status == 1 && listed.stdout.contains("kept"), "\(listed)")
            #expect(listed.stderr.hasPrefix("helium: "), "\(listed)")
            let feeds = try await Tool.run(
                ["cosm", "feeds", "--all"],
                environment: ["COSM_BASE_URL": server.url + "/v2", "COSM_API_KEY": "key-of-ann"]
            )
            #expect(feeds.status == 1 && feeds.stdout.contains("kept"), "\(feeds)")
            #expect(feeds.stderr.hasPrefix("helium: "), "\(feeds)")
        }
    }

    @Test("helium appnet without a token prints the usage of the command")
    func usage() async throws {
        try await withTemporaryFolder { folder in
            let environment = ["XDG_CONFIG_HOME": folder.path]
            for words in [["appnet", "channels"], ["appnet", "files", "get", "1"], ["cosm", "feeds"]] {
                let outcome = try await Tool.run(words, environment: environment)
                let command = words.prefix { $0 != "get" && $0 != "1" } + (words.contains("get") ? ["get"] : [])
                let name = (["helium"] + command).joined(separator: " ")
                #expect(outcome.status == 64 && outcome.stderr.contains("\nUsage: \(name) "), "\(outcome)")
                #expect(outcome.stderr.hasSuffix("  See '\(name) --help' for more information.\n"), "\(outcome)")
            }
        }
    }

    @Test("helium appnet refuses a token that other users can read")
    func mode() async throws {
        try await withTemporaryFolder { folder in
            let store = folder.appendingPathComponent("helium/appnet-tokens.json")
            try FileManager.default.createDirectory(
                at: store.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data("{}".utf8).write(to: store)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
            let outcome = try await Tool.run(
                ["appnet", "user", "me", "--base-url", "http://127.0.0.1:9/stream/0"],
                environment: ["XDG_CONFIG_HOME": folder.path]
            )
            let told = "helium: \(store.path) has mode 644, so other users can access the token: use chmod 600"
            #expect(outcome.status == 1 && outcome.stderr.hasPrefix(told), "\(outcome)")
        }
    }

    @Test("helium appnet login fails if the token cannot be stored", arguments: ["corrupt", "empty", "file"])
    func unkept(what: String) async throws {
        try await withTemporaryFolder { folder in
            let home = folder.appendingPathComponent("config")
            let store = home.appendingPathComponent("helium/appnet-tokens.json")
            if what == "file" {
                try Data().write(to: home)
            } else {
                try FileManager.default.createDirectory(
                    at: store.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try Data((what == "empty" ? "" : "{]").utf8).write(to: store)
            }
            let outcome = try await Tool.run(
                [
                    "appnet", "login", "--password", "--username", "alice", "--client-id", "c", "--client-secret", "s",
                    "--base-url", "http://127.0.0.1:9/stream/0",
                ],
                environment: ["XDG_CONFIG_HOME": home.path]
            )
            #expect(
                outcome.status == 1 && outcome.stderr.hasPrefix("helium: the login can't be stored: "),
                "\(outcome)"
            )
            #expect(outcome.stderr.contains(what == "file" ? home.path : store.path))
            #expect(outcome.stderr.contains("XDG_CONFIG_HOME") && !outcome.stderr.contains("NSCocoaErrorDomain"))
        }
    }

    @Test("a signal at the password prompt of helium appnet restores the terminal's echo")
    func signals() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try #require(PseudoTerminal())
            let arguments = [
                "appnet", "login", "--password", "--username", "a", "--client-id", "c", "--client-secret", "s",
                "--base-url", "http://127.0.0.1:9/stream/0",
            ]
            for number in [SIGINT, SIGTERM, SIGHUP] {
                let process = Tool.process(arguments, environment: ["XDG_CONFIG_HOME": folder.path])
                process.standardInput = terminal.process
                async let ended = Tool.run(process)
                try await eventually { !terminal.echoes }
                kill(process.processIdentifier, number)
                _ = try await ended
                #expect(terminal.echoes)
                #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == number)
            }
        }
    }

    /// A file of whose content half comes.
    @Sendable private static func halfContent(_ request: FaultServer.ReceivedRequest) -> [FaultServer.Action] {
        if !request.target.contains("content") {
            return [.answer(body: Data(#"{"meta":{"code":200},"data":{"id":"4"}}"#.utf8))]
        }
        return [.answer(announcing: 1000, body: "half"), .hang]
    }

    @Test("a failed download of helium appnet leaves no partial file")
    func halfFiles() async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run(Self.halfContent) { server in
                let target = folder.appendingPathComponent("target").path
                let download = RunningTool(
                    [
                        "appnet", "files", "get", "4", "-o", target, "--token", "t",
                        "--base-url", "\(server.url)/stream/0",
                    ]
                )
                try await eventually { try Self.names(in: folder).contains { $0.hasPrefix(".target.") } }
                download.signal(SIGINT)
                let outcome = try await download.outcome()
                #expect(outcome.status == SIGINT && outcome.stderr == "helium: interrupted\n", "\(outcome)")
                #expect(try Self.names(in: folder).isEmpty)
            }
        }
    }

    @Test("a download of helium appnet to standard output is not readable for other users")
    func privateContent() async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run(Self.halfContent) { server in
                let process = Tool.process(
                    [
                        "appnet", "files", "get", "4", "-o", "-", "--token", "t",
                        "--base-url", "\(server.url)/stream/0",
                    ],
                    environment: ["TMPDIR": folder.path]
                )
                async let ended = Tool.run(process)
                func own() throws -> URL? { try Self.names(in: folder).first.map(folder.appendingPathComponent) }
                try await eventually { try own().map { try !Self.names(in: $0).isEmpty } ?? false }
                let attributes = try FileManager.default.attributesOfItem(atPath: try #require(try own()).path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
                kill(process.processIdentifier, SIGINT)
                let outcome = try await ended
                #expect(outcome.status == SIGINT && outcome.stdout.isEmpty, "\(outcome)")
                #expect(try Self.names(in: folder).isEmpty)
            }
        }
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("helium appnet prints the cause of a failed handshake")
    func handshake() async throws {
        try await WireServer.run { peer in
            _ = try await peer.readHead()
            try await peer.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n"
            )
            try await peer.readToEnd()
        } _: { server async throws in
            // Its time passes when the handshake has failed.
            let clock = TestClock()
            let stream = RunningTool(
                ["appnet", "stream", "1", "--stream-url", "ws://127.0.0.1:\(server.port)/", "--timeout", "1s"]
                    + Self.nowhere,
                clock: clock
            )
            #expect(try await stream.errorLine().contains("Sec-WebSocket-Accept"))
            await clock.waitForDeadlines()
            clock.advance(by: .seconds(1))
            let outcome = try await stream.outcome()
            #expect(outcome.status == 1 && outcome.stderr.contains("Sec-WebSocket-Accept"), "\(outcome)")
        }
    }

    @Test("helium appnet stream gives up connecting after --timeout")
    func stream() async throws {
        // It takes connections, and says nothing.
        try await WireServer.run { peer in
            try await peer.readToEnd()
        } _: { server async throws in
            let outcome = try await Tool.run(
                ["appnet", "stream", "1", "--stream-url", "ws://127.0.0.1:\(server.port)/", "--timeout", "500ms"]
                    + Self.nowhere
            )
            #expect(outcome.status == 1 && outcome.stderr.contains("timedOut"), "\(outcome)")
        }
    }
}
