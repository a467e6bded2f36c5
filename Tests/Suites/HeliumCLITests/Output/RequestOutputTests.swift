import Foundation
import HeliumTesting
import TestSupport
import Testing

@Suite("Output of helium request", .timeLimit(.minutes(5)))
struct RequestOutputTests {
    private static func get(_ server: FaultServer, _ more: String..., path: String = "/x") -> [String] {
        ["request", "get", server.url + path] + more
    }

    /// A failure with a body and fields that would do something to a terminal.
    private static let failure = FaultServer.Action.answer(
        422,
        fields: ["Content-Type: application/json", "X-Odd: a\u{1B}[31m"],
        body: #"{"errors":[{"code":"A\u001b[31m","msg":"FAKE\nline"}]}"#
    )

    @Test("helium request prints a body as it arrives")
    func streams() async throws {
        let gate = FaultServer.Gate()
        let script: FaultServer.Script = { _ in
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nfirst\n"), .send(whenOpen: gate, "second"),
                .close,
            ]
        }
        try await FaultServer.run(script) { server async throws in
            let request = RunningTool(Self.get(server))
            #expect(try await request.line() == "first")
            gate.open()
            #expect(try await request.status() == 0)
            #expect(try await request.line() == "second")
        }
    }

    @Test(
        "a JSON body is laid out, and shown as it is if a member occurs twice",
        arguments: [
            (#"{"a":1,"b":[2]}"#, "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n"),
            (#"{"a":1,"a":2}"#, "{\"a\":1,\"a\":2}\n"),
            (#"[{"b":{"a":1,"\u0061":2}}]"#, "[{\"b\":{\"a\":1,\"\\u0061\":2}}]\n"),
        ]
    )
    func equalMembers(_ body: String, _ shown: String) async throws {
        let script: FaultServer.Script = { _ in [.answer(fields: ["Content-Type: application/json"], body: body)] }
        try await FaultServer.run(script) { server in
            let terminal = try #require(PseudoTerminal())
            let outcome = try await Tool.run(Self.get(server), output: terminal.process)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(terminal.shown().replacing("\r\n", with: "\n") == shown)
        }
    }

    @Test("helium request --output - prints the body to standard output")
    func dash() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let outcome = try await Tool.run(Self.get(server, "-o", "-"))
            #expect(outcome.status == 0 && outcome.stdout.hasPrefix("ok"), "\(outcome)")
            #expect(!FileManager.default.fileExists(atPath: "-"))
        }
    }

    @Test("helium request prints head and body of a failed response with -v, and with --format json")
    func failures() async throws {
        try await FaultServer.run({ _ in [Self.failure] }) { server in
            let text = try await Tool.run(Self.get(server, "-v"))
            #expect(text.status == 1 && text.stdout.isEmpty)
            #expect(text.stderr.hasPrefix("HTTP/1.1 422\n") && text.stderr.contains("X-Odd: a\\u{1b}[31m\n"), "\(text)")
            #expect(text.stderr.contains(#"{"errors":[{"code":"A\u001b"#))
            #expect(text.stderr.contains(#"server: {A\u{1b}[31m: FAKE\nline}"#), "\(text)")
            let json = try await Tool.run(Self.get(server, "--format", "json"))
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(json.stderr.utf8)) as? [String: Any]
            )
            #expect(json.status == 1 && document["status"] as? Int == 422)
            #expect((document["body"] as? String)?.contains("errors") == true)
            #expect((document["fields"] as? [[String: String]])?.contains { $0["name"] == "x-odd" } == true)
            let body = try await Tool.run(Self.get(server, "--fail-with-body", "--quiet"))
            #expect(body.status == 1 && body.stderr.isEmpty && body.stdout.hasPrefix(#"{"errors""#), "\(body)")
            for outcome in [text, json] { #expect(!outcome.stderr.contains("\u{1B}")) }
        }
    }

    @Test(
        "helium request --format json has a body that is not text in Base64, of a failed response too",
        arguments: [200, 422]
    )
    func binary(status: Int) async throws {
        let bytes = Data([0xFF, 0x00, 0x61])
        try await FaultServer.run({ _ in [.answer(status, body: bytes)] }) { server in
            let outcome = try await Tool.run(Self.get(server, "--format", "json"))
            let text = status == 200 ? outcome.stdout : outcome.stderr
            let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect(document["bodyBase64"] as? String == bytes.base64EncodedString() && document["body"] == nil)
        }
    }

    @Test("helium request prints no credential, also if the server echoes it")
    func echoes() async throws {
        let script: FaultServer.Script = { request in
            let echo = request.values(of: "Authorization") + request.values(of: "X-Auth-Token")
            return [.answer(fields: ["X-Echo: \(echo.joined(separator: ", "))"], body: "ok")]
        }
        try await FaultServer.run(script) { server in
            for more in [["-v"], ["--format", "json"], ["-v", "-H", "Authorization: Bearer s3cret-own"]] {
                let outcome = try await Tool.run(
                    ["request", "get", server.url + "/x", "-H", "X-Auth-Token: s3cret-token"] + more,
                    environment: ["HELIUM_BEARER": "s3cret-bearer"]
                )
                #expect(outcome.status == 0 && !(outcome.stderr + outcome.stdout).contains("s3cret"), "\(outcome)")
                #expect((outcome.stderr + outcome.stdout).contains("[redacted]"))
            }
        }
    }

    @Test("helium request prints raw bytes to a pipe, and printable text to a terminal")
    func terminal() async throws {
        let body = "\u{1B}[31mred\u{9B}31m\u{7}\r\nnext"
        try await FaultServer.run({ _ in [.answer(body: body)] }) { server in
            let piped = try await Tool.run(Self.get(server))
            #expect(piped.stdout == body && piped.stderr.isEmpty)
            for environment in [[:], ["NO_COLOR": "1"]] {
                let terminal = try #require(PseudoTerminal())
                let outcome = try await Tool.run(
                    Self.get(server, "-v"),
                    environment: environment,
                    output: terminal.process
                )
                #expect(terminal.shown() == "\\u{1b}[31mred\\u{9b}31m\\u{7}\r\nnext")
                #expect(outcome.status == 0 && !outcome.stderr.contains("\u{1B}"))
            }
        }
    }

    @Test("helium request indents JSON on a terminal, and changes nothing else in it")
    func pretty() async throws {
        let script: FaultServer.Script = { _ in
            [.answer(fields: ["Content-Type: application/json"], body: "{\"a\":[1,\"\u{9B}\"]}")]
        }
        try await FaultServer.run(script) { server in
            let terminal = try #require(PseudoTerminal())
            _ = try await Tool.run(Self.get(server), output: terminal.process)
            #expect(terminal.shown() == "{\r\n  \"a\": [\r\n    1,\r\n    \"\\u009b\"\r\n  ]\r\n}\r\n")
        }
    }

    @Test("helium request --quiet prints nothing on stderr", arguments: ["-s", "--quiet", "--silent"])
    func quiet(option: String) async throws {
        for more in [[], ["--format", "json"], ["--cacert", "/nonexistent/file"]] {
            let outcome = try await Tool.run(["request", "GET", "http://127.0.0.1:1/", option] + more)
            #expect(outcome.status == 1 && outcome.stderr.isEmpty && outcome.stdout.isEmpty, "\(outcome)")
        }
        let usage = try await Tool.run(["request", "GET", "nowhere", option])
        #expect(usage.status == 64 && usage.stderr.contains("HELIUM_BASE_URL"))
    }

    @Test("words that were given to helium request are not masked in its messages")
    func words() async throws {
        let outcome = try await Tool.run(
            ["request", "GET", "http://127.0.0.1:1/:id", "--replace", "id=server", "-H", "X-Api-Key: helium"]
        )
        #expect(outcome.stderr.hasPrefix("helium: "), "\(outcome)")
        #expect(!outcome.stderr.contains("[redacted]er"), "\(outcome)")
        #expect(outcome.stderr.contains("server") || !outcome.stderr.contains("[redacted]"), "\(outcome)")
    }

    @Test("helium request ends silently when its output is closed")
    func brokenPipe() async throws {
        try await FaultServer.run(faults: [.endlessBody]) { server in
            let outcome = try await Tool.shell(
                "'\(Tool.executable.path)' request get \(server.url)/x | head -c 3",
                in: URL(fileURLWithPath: "/tmp")
            )
            #expect(outcome.status == 0 && outcome.stderr.isEmpty && outcome.stdout.count == 3, "\(outcome)")
        }
    }

    @Test("helium request --max-filesize limits the bytes of a body")
    func ceiling() async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run({ _ in [.answer(body: String(repeating: "x", count: 5000))] }) { server in
                let file = folder.appendingPathComponent("file").path
                for more in [[], ["--output", file], ["--format", "json"]] {
                    let less = try await Tool.run(["request", "get", server.url, "--max-filesize", "4k"] + more)
                    #expect(less.status == 1 && less.stderr.contains("ceilingExceeded"), "\(less)")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                }
                #expect(
                    try await Tool.run(["request", "get", server.url, "--max-filesize", "0", "-o", file]).status == 0
                )
            }
        }
    }
}
