import Foundation
import HeliumTesting
import TestSupport
import Testing

@Suite("helium request --curl", .timeLimit(.minutes(5)))
struct CurlTests {
    private static let hasCurl = Tool.hasCurl

    /// A request's lines and body without what may differ: the order of fields, and a form's delimiter.
    private static func normalized(_ request: FaultServer.ReceivedRequest) -> [String] {
        var lines = request.lines
        var body = String(decoding: request.body, as: UTF8.self)
        if let type = request.values(of: "Content-Type").first, type.hasPrefix("multipart/"),
            let boundary = type.split(separator: "boundary=").last
        {
            lines = lines.map { $0.replacingOccurrences(of: boundary, with: "BOUNDARY") }
            lines.removeAll { $0.hasPrefix("Content-Length:") }
            body = body.replacingOccurrences(of: boundary, with: "BOUNDARY")
        }
        return [lines[0]] + lines.dropFirst().sorted() + [body]
    }

    @Test(
        "helium request --curl prints a command that sends the same request, and sends nothing",
        .enabled(if: hasCurl, "the curl tool is not installed"),
        arguments: [
            ["GET", "/a b/:id", "--replace", "id=1/2", "--param", "x=it's \"1\" & $2", "--header", "X-A: b 'c'"],
            ["HEAD", "/x"], ["DELETE", "/x"], ["POST", "/x"],
            ["POST", "/x", "--json", #"{"name":"it's","token":"t"}"#],
            ["PUT", "/x", "--upload", "it's a photo.png"],
            ["POST", "/x", "--upload", "notes", "--header", "Content-Type: text/x-notes"],
            [
                "POST", "/x", "--multipart", "title=it's; \"x\"", "--multipart", "password=p", "--multipart",
                "photo=@it's a photo.png", "--multipart", "notes=@notes;type=text/x-notes", "--form-string", "at=@x",
            ],
            ["POST", "/x", "--form", "a=b c", "--form", "a=&", "--form-string", "b=@x"],
            ["POST", "/x", "--idempotency-key", "k 1"],
            ["GET", "/x", "--output", "result"], ["GET", "/x", "--timeout", "10s"],
        ]
    )
    func sendsTheSame(arguments: [String]) async throws {
        try await withTemporaryFolder { folder in
            try Data("some notes".utf8).write(to: folder.appendingPathComponent("notes"))
            try Data("some ü pixels".utf8).write(to: folder.appendingPathComponent("it's a photo.png"))
            try await FaultServer.run({ _ in [.answer(body: "answer")] }) { server in
                func run(_ more: [String]) async throws -> Tool.Outcome {
                    try await Tool.run(
                        ["request"] + arguments + ["--base-url", server.url + "/base"] + more,
                        environment: ["HELIUM_BEARER": "s3cret-bearer"],
                        folder: folder
                    )
                }
                let sent = try await run([])
                #expect(sent.status == 0, "\(sent)")
                let command = try await run(["--curl", "--show-secrets"])
                #expect(command.status == 0 && command.stderr.isEmpty, "\(command)")
                #expect(server.requestCount == 1)
                let curl = try await Tool.shell(command.stdout, in: folder)
                #expect(curl.status == 0, "\(curl)")
                let requests = server.requests
                try #require(requests.count == 2)
                #expect(Self.normalized(requests[0]) == Self.normalized(requests[1]), "\(command.stdout)")
                #expect(requests[1].values(of: "Authorization") == ["Bearer s3cret-bearer"])
                if arguments.contains("--output") {
                    let result = try String(contentsOf: folder.appendingPathComponent("result"), encoding: .utf8)
                    #expect(result == "answer")
                }
            }
        }
    }

    @Test("helium request --curl masks credentials, query values and secret members unless told otherwise")
    func masks() async throws {
        let arguments = [
            "request", "POST", "/x", "--base-url", "http://127.0.0.1:1", "--param", "q=s3cret-query", "--header",
            "X-ApiKey: s3cret-header", "--curl",
        ]
        let bodies = [
            ["--json", #"{"password":"s3cret-member","note":"s3cret-bearer"}"#],
            ["--form", "password=s3cret-part", "--form", "note=x s3cret-bearer"],
            ["--multipart", "password=s3cret-part", "--multipart", "note=x s3cret-bearer"],
        ]
        for body in bodies {
            func run(_ more: [String]) async throws -> Tool.Outcome {
                try await Tool.run(arguments + body + more, environment: ["HELIUM_BEARER": "s3cret-bearer"])
            }
            let masked = try await run([])
            #expect(masked.status == 0 && masked.stderr.isEmpty, "\(masked)")
            #expect(masked.stdout.contains("Authorization: [redacted]") && !masked.stdout.contains("s3cret"))
            // All values of a form are masked, as those of a query.
            if body[0] != "--json" { #expect(masked.stdout.contains("note=***"), "\(masked)") }
            let shown = try await run(["--show-secrets"])
            #expect(shown.stdout.components(separatedBy: "s3cret").count == 6, "\(shown)")
        }
    }

    @Test(
        "helium request --curl uses a registered device for a signed command, and registers none",
        .enabled(if: hasCurl)
    )
    func signed() async throws {
        try await withTemporaryFolder { folder in
            try await RunningServe.with { server in
                let store = folder.appendingPathComponent("tokens.json").path
                func request(_ more: [String]) async throws -> Tool.Outcome {
                    try await Tool.run(
                        ["request", "GET", "/todo", "--base-url", server.ready.middleware.base] + more
                            + server.credentials(store: store),
                        environment: server.environment
                    )
                }
                let unsigned = try await request(["--curl"])
                #expect(unsigned.status == 0 && unsigned.stderr.contains("not signed"), "\(unsigned)")
                #expect(unsigned.stdout.hasPrefix("curl ") && !FileManager.default.fileExists(atPath: store))
                #expect(try await request([]).status == 0)
                let masked = try await request(["--curl"])
                #expect(masked.stdout.contains("'key: [redacted]'") && masked.stderr.isEmpty, "\(masked)")
                let shown = try await request(["--curl", "--show-secrets"])
                #expect(!shown.stdout.contains(server.ready.middleware.secret))
                let answer = try await Tool.shell(shown.stdout, in: folder)
                #expect(answer.stdout == #"{"status":200,"response":[]}"#, "\(answer)")
            }
        }
    }
}
