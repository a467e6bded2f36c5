import Foundation
import HeliumCrypto
import HeliumKit
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import TestSupport
import Testing

@Suite("helium request: retries, versions and files", .timeLimit(.minutes(5)))
struct TransferTests {
    private static let large = Data((0..<5_000_003).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })

    // MARK: Retries

    @Test(
        "helium request retries a busy server, as often as --retry says",
        arguments: [(["--retry", "2"], 0, 2), ([], 0, 2), (["--retry", "1"], 1, 1)] as [([String], Int32, Int)]
    )
    func retry(options: [String], status: Int32, requests: Int) async throws {
        try await FaultServer.run(faults: [.unavailable(), .healthy]) { server in
            let outcome = try await Tool.run(["request", "GET", "/x", "--base-url", server.url, "-v"] + options)
            #expect(outcome.status == status && server.requestCount == requests, "\(outcome)")
            #expect(outcome.stdout == (status == 0 ? "ok" : ""))
            #expect(outcome.stderr.contains(status == 0 ? ": serverUnavailable)" : "status 503"))
        }
    }

    @Test("helium request --retry repeats no request that is not idempotent")
    func retryPost() async throws {
        try await FaultServer.run(faults: [.unavailable(), .healthy]) { server in
            let post = ["request", "POST", "/x", "--base-url", server.url, "--json", "{}", "--retry", "5"]
            let outcome = try await Tool.run(post)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(server.requestCount == 1)
        }
    }

    // MARK: HTTP/2

    @Test("helium request --http2 uses HTTP/2 at once over http")
    func priorKnowledge() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.usesPriorKnowledgeHTTP2 = true
        try await withTemporaryFolder { folder in
            try await withEmbeddedServer(configuration) { server in
                let file = folder.appendingPathComponent("todos").path
                for more in [[], ["--output", file]] {
                    let outcome = try await Self.todos(server, folder, ["--http2"] + more)
                    #expect(outcome.status == 0 && outcome.stderr.hasPrefix("HTTP/2 200\n"), "\(outcome)")
                }
            }
        }
    }

    @Test("helium request --http2 negotiates HTTP/2 over https, also for a file")
    func negotiated() async throws {
        try await withTemporaryFolder { folder in
            try await ThrowawayCertificates.with { certificates in
                var configuration = EmbeddedServerConfiguration()
                configuration.tls = certificates.server
                try await withEmbeddedServer(configuration) { server in
                    let common = ["--cacert", certificates.authorityPath]
                    let file = ["--output", folder.appendingPathComponent("todos").path]
                    for (options, version) in [(["--http2"], "2"), (["--http2"] + file, "2"), (file, "1.1")] {
                        let outcome = try await Self.todos(server, folder, common + options)
                        #expect(outcome.status == 0 && outcome.stderr.hasPrefix("HTTP/\(version) 200\n"), "\(outcome)")
                    }
                }
            }
        }
    }

    private static func todos(_ server: RunningServer, _ folder: URL, _ options: [String]) async throws -> Tool.Outcome
    {
        let middleware = server.ready.middleware
        let identity = [
            "--devices-url", middleware.devices.absoluteString, "--secret-id", middleware.secretID,
            "--token-store", folder.appendingPathComponent("tokens.json").path,
        ]
        return try await Tool.run(
            ["request", "GET", "/todo", "--base-url", middleware.base.absoluteString, "-v"] + identity + options,
            environment: ["HELIUM_SECRET": middleware.secret]
        )
    }

    // MARK: Files

    @Test("5 MB are uploaded and downloaded unchanged, without a progress bar in a pipe")
    func largeFile() async throws {
        try await withTemporaryFolder { folder in
            let (source, target) = (folder.appendingPathComponent("it.png"), folder.appendingPathComponent("copy"))
            try Self.large.write(to: source)
            let digest = SHA256.hash(Self.large)
            try await FaultServer.run({ $0.method == "GET" ? [.answer(body: Self.large)] : [.answer(body: "thanks")] })
            {
                server in
                let up = try await Tool.run(["request", "PUT", "/x", "--base-url", server.url, "--upload", source.path])
                #expect(up.status == 0 && up.stdout == "thanks" && up.stderr.isEmpty, "\(up)")
                let received = try #require(server.requests.first)
                #expect(received.method == "PUT" && received.values(of: "Content-Type") == ["image/png"])
                #expect(received.values(of: "Content-Length") == ["5000003"])
                #expect(SHA256.hash(received.body) == digest)
                let down = try await Tool.run([
                    "request", "GET", "/x", "--base-url", server.url, "--output", target.path,
                ])
                #expect(down.status == 0 && down.stdout.isEmpty && down.stderr.isEmpty, "\(down)")
                #expect(SHA256.hash(try Data(contentsOf: target)) == digest)
            }
        }
    }

    @Test("a Content-Type header replaces the media type of an uploaded file")
    func mediaType() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("it.png")
            try Data("x".utf8).write(to: file)
            try await FaultServer.run(faults: [.healthy]) { server in
                let upload = ["request", "POST", "/x", "--base-url", server.url, "--upload", file.path]
                let outcome = try await Tool.run(upload + ["--header", "Content-Type: image/x-own"])
                #expect(outcome.status == 0, "\(outcome)")
                #expect(server.requests.first?.values(of: "Content-Type") == ["image/x-own"])
            }
        }
    }

    @Test("a form has its parts in order, and files with name and media type")
    func form() async throws {
        try await withTemporaryFolder { folder in
            let (photo, notes) = (folder.appendingPathComponent("it.png"), folder.appendingPathComponent("notes"))
            try Data("pixels".utf8).write(to: photo)
            try Data("words".utf8).write(to: notes)
            try await FaultServer.run(faults: [.healthy]) { server in
                let parts = ["title=a=b;type=c", "photo=@\(photo.path)", "notes=@\(notes.path);type=text/x-notes"]
                let outcome = try await Tool.run(
                    ["request", "POST", "/x", "--base-url", server.url] + parts.flatMap { ["--multipart", $0] }
                )
                #expect(outcome.status == 0, "\(outcome)")
                let request = try #require(server.requests.first)
                let type = try #require(request.values(of: "Content-Type").first)
                let boundary = try #require(type.firstMatch(of: /^multipart\/form-data; boundary=(.+)$/)).output.1
                let disposition = "Content-Disposition: form-data; name="
                let lines = [
                    "--\(boundary)", #"\#(disposition)"title""#, "", "a=b;type=c",
                    "--\(boundary)", #"\#(disposition)"photo"; filename="it.png""#, "Content-Type: image/png", "",
                    "pixels",
                    "--\(boundary)", #"\#(disposition)"notes"; filename="notes""#, "Content-Type: text/x-notes", "",
                    "words", "--\(boundary)--", "",
                ]
                #expect(String(decoding: request.body, as: UTF8.self) == lines.joined(separator: "\r\n"))
            }
        }
    }

    @Test("helium request exits with 1 before a request if the target's folder is missing")
    func badTarget() async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run(faults: [.answer(404)]) { server in
                let get = ["request", "GET", "/x", "--base-url", server.url, "--output"]
                let missing = try await Tool.run(get + [folder.appendingPathComponent("no/such/file").path])
                #expect(missing.status == 1 && missing.stderr.contains("fileFailed"), "\(missing)")
                #expect(server.requestCount == 0)
                let file = folder.appendingPathComponent("file")
                try Data("old".utf8).write(to: file)
                #expect(try await Tool.run(get + [file.path]).status == 1)
                #expect(try Data(contentsOf: file) == Data("old".utf8))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
            }
        }
    }

    @Test("an interrupted download leaves no file, or with --resume a part that is continued")
    func resume() async throws {
        let (whole, half) = (Self.large, Self.large.count / 2)
        let script: FaultServer.Script = { request in
            let fields = ["ETag: \"1\"", "Accept-Ranges: bytes"]
            guard request.values(of: "Range") == ["bytes=\(half)-"] else {
                let head = "HTTP/1.1 200 OK\r\n\(fields[0])\r\nContent-Length: \(whole.count)\r\n\r\n"
                return [.send(Data(head.utf8) + whole.prefix(half)), .close]
            }
            let range = "Content-Range: bytes \(half)-\(whole.count - 1)/\(whole.count)"
            return [.answer(206, fields: fields + [range], body: whole.suffix(from: half))]
        }
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file")
            func left() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder.path).count }
            try await FaultServer.run(script) { server in
                let get = ["request", "GET", "/x", "--base-url", server.url, "--output", file.path]
                #expect(try await Tool.run(get).status == 1)
                #expect(try left() == 0)
                #expect(try await Tool.run(get + ["--resume"]).status == 1)
                #expect(try left() > 0 && !FileManager.default.fileExists(atPath: file.path))
                let resumed = try await Tool.run(get + ["--resume", "--format", "json"])
                #expect(resumed.status == 0 && resumed.stdout.contains(#""isResumed":true"#), "\(resumed)")
                #expect(try Data(contentsOf: file) == whole)
                #expect(try left() == 1)
            }
        }
    }

    @Test("an interrupted download ends by the signal and leaves no file", arguments: [SIGHUP, SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        try await withTemporaryFolder { folder in
            try await FaultServer.run(faults: [.stallMidBody]) { server in
                let file = folder.appendingPathComponent("file").path
                let process = Tool.process(["request", "GET", "/x", "--base-url", server.url, "--output", file])
                async let ended = Tool.run(process)
                // Without a process its number is 0, and a signal to 0 is for all of us.
                try #require(await server.wait { $0.requestCount == 1 })
                kill(process.processIdentifier, signal)
                let outcome = try await ended
                #expect(outcome.status == signal && outcome.stderr == "helium: interrupted\n", "\(outcome)")
                #expect(process.terminationReason == .uncaughtSignal)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
            }
        }
    }

    @Test("a progress bar is drawn on a terminal for uploads and downloads")
    func terminal() async throws {
        try await withTemporaryFolder { folder in
            let (source, target) = (folder.appendingPathComponent("source"), folder.appendingPathComponent("target"))
            try Self.large.write(to: source)
            let terminal = try #require(PseudoTerminal())
            try await FaultServer.run({ _ in [.answer(body: Self.large)] }) { server in
                let outcome = try await Tool.run(
                    [
                        "request", "PUT", "/x", "--base-url", server.url, "--upload", source.path, "--output",
                        target.path,
                    ],
                    errors: terminal.process
                )
                #expect(outcome.status == 0 && outcome.stdout.isEmpty)
            }
            let shown = terminal.shown()
            #expect(shown.contains("\rsent [") && shown.contains("\rreceived ["), "\(shown)")
            #expect(shown.contains("] 100 %  5.0 MB of 5.0 MB") && shown.hasSuffix("\u{1B}[K\r\n"), "\(shown)")
        }
    }
}
