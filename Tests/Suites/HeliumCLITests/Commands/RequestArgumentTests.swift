import Foundation
import HeliumTesting
import Testing

@testable import HeliumCLI

@Suite("Arguments of helium request", .timeLimit(.minutes(5)))
struct RequestArgumentTests {
    @Test("helium request takes a URL, a base URL, or one from the environment")
    func addresses() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let base = ["HELIUM_BASE_URL": server.url + "/base"]
            for (arguments, environment, target) in [
                ([server.url + "/a/:id?q=1", "--replace", "id=x y"], [:], "/a/x%20y?q=1"), ([server.url], [:], "/"),
                (["/a", "--base-url", server.url + "/v1"], base, "/v1/a"), (["/a"], base, "/base/a"),
                ([server.url + "/a"], base, "/a"), (["HTTP" + server.url.dropFirst(4) + "/a"], [:], "/a"),
            ] {
                let outcome = try await Tool.run(["request", "GET"] + arguments, environment: environment)
                #expect(outcome.status == 0 && server.requests.last?.target == target, "\(arguments): \(outcome)")
            }
        }
    }

    @Test("a token of a base URL is not sent to another origin by helium request, however the origin is named")
    func bearer() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            for (base, values) in [
                (server.url + "/v1", ["Bearer s3cret-1"]), ("http://127.0.0.1:1/", []), (nil, ["Bearer s3cret-1"]),
            ] {
                var environment = ["HELIUM_BEARER": "s3cret-1"]
                environment["HELIUM_BASE_URL"] = base
                for address in [
                    [server.url + "/x"], ["/x", "--base-url", server.url], ["/x", "--base-url", server.url + "/v2"],
                ] {
                    let outcome = try await Tool.run(["request", "GET"] + address, environment: environment)
                    #expect(outcome.status == 0, "\(outcome)")
                    #expect(server.requests.last?.values(of: "Authorization") == values, "\(address)")
                    #expect(outcome.stderr.contains("is not sent") == values.isEmpty)
                }
            }
        }
    }

    @Test("a redirect of helium request does not take a credential to another origin")
    func redirect() async throws {
        try await FaultServer.run({ _ in [.answer(body: "other")] }) { other in
            let script: FaultServer.Script = { _ in [.answer(302, fields: ["Location: \(other.url)/"])] }
            try await FaultServer.run(script) { server in
                let outcome = try await Tool.run(
                    ["request", "GET", server.url + "/x", "-H", "X-Api-Key: s3cret-2"],
                    environment: ["HELIUM_BEARER": "s3cret-1"]
                )
                #expect(outcome.status == 1 && !outcome.stderr.contains("s3cret"), "\(outcome)")
                #expect(server.requestCount == 1 && other.requestCount == 0)
            }
        }
    }

    @Test("an Authorization field on the command line of helium request replaces HELIUM_BEARER")
    func ownAuthorization() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            for options in [["-H", "Authorization: Basic b3du"], ["--header", "authorization:Basic b3du"]] {
                let outcome = try await Tool.run(
                    ["request", "GET", server.url] + options,
                    environment: ["HELIUM_BEARER": "s3cret-1"]
                )
                #expect(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome)")
                #expect(server.requests.last?.values(of: "Authorization") == ["Basic b3du"])
            }
        }
    }

    @Test("helium request takes a header field in one word with -H, as curl does, and sends each of several")
    func joinedHeaders() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let outcome = try await Tool.run(
                [
                    "request", "GET", server.url, "-HAuthorization:Basic b3du=", "-HX-A: 1", "-H", "X-a:2",
                    "--header=X-A:3",
                ]
            )
            #expect(outcome.status == 0, "\(outcome)")
            let request = try #require(server.requests.last)
            #expect(request.values(of: "Authorization") == ["Basic b3du="])
            #expect(request.values(of: "X-A") == ["1", "2", "3"])
        }
    }

    @Test(
        "helium request does not send an unsigned request if an option has a meaning for signed ones only",
        arguments: [
            ["--secret", "s3cret-1"], ["--secret-file", "/nonexistent/file"], ["--secret-id", "id"],
            ["--token-store", "/nonexistent/file"],
        ]
    )
    func unsigned(options: [String]) async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let outcome = try await Tool.run(["request", "GET", server.url] + options)
            #expect(
                outcome.status == 64 && outcome.stderr.contains("a signed request needs --devices-url"),
                "\(outcome)"
            )
            #expect(server.requestCount == 0)
        }
    }

    @Test("a combining mark after a separator does not hide it from helium request")
    func combiningMarks() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let outcome = try await Tool.run(
                ["request", "POST", server.url, "--param", "a=\u{301}x", "--form", "b=\u{301}y"]
            )
            #expect(outcome.status == 0, "\(outcome)")
            let request = try #require(server.requests.last)
            #expect(request.target == "/?a=%CC%81x" && String(decoding: request.body, as: UTF8.self) == "b=%CC%81y")
        }
        #expect(FormField(argument: "a=@\u{301}f")?.content == .file(path: "\u{301}f", contentType: nil))
        #expect(HeaderArgument(argument: "X-A:\u{301}")?.name == "X-A")
    }

    @Test(
        "an error of helium request names the option or variable, the reason and a remedy, and no secret",
        arguments: [
            (
                ["GET", "/x", "--base-url", "127.0.0.1:8766"], [:],
                "invalid --base-url \"127.0.0.1:8766\": the URL has no scheme; write http://127.0.0.1:8766"
            ),
            (
                ["GET", "/x"], ["HELIUM_BASE_URL": "ftp://h"],
                "invalid HELIUM_BASE_URL \"ftp://h\": the scheme must be http or https"
            ),
            (
                ["GET", "/x"], ["HELIUM_BASE_URL": "http://u:s3cret@h"],
                "invalid HELIUM_BASE_URL: the URL must not have a user name"
            ),
            (["GET", "http://h:x/"], [:], "invalid URL \"http://h:x\": the port is not a number"),
            (["GET", "ftp://h/x"], [:], "invalid URL \"ftp://h\": the scheme must be http or https"),
            (
                ["GET", "file:///x", "--base-url", "http://h"], [:],
                "invalid URL \"file://\": the scheme must be http or https"
            ),
            (["GET", "coap+tcp://u:s3cret@h/"], [:], "invalid URL: the scheme must be http or https"),
            (
                ["GET", "http://[fe80::1%25eth0]/x"], [:],
                "invalid URL \"http://[fe80::1%25eth0]\": the IPv6 host has a zone id"
            ),
            (["GET", "http://h/"], ["HELIUM_BEARER": "s3cret\n"], "invalid HELIUM_BEARER: "),
            (["GET", "/x"], [:], "or --base-url, or set HELIUM_BASE_URL"),
            (["GET", "http://h/", "--devices-url", "h", "--secret", "s3cret"], [:], "invalid --devices-url \"h\""),
            (["GET", "http://h/", "-H", "s3cret"], [:], "'-H <name:value>'"),
            (
                ["GET", "http://h/", "-H", "Authorization Bearer s3cret: x"], [:],
                "invalid --header number 1: use name:value"
            ),
            (["GET", "http://h/", "-H", "Authorization:", "Bearer", "s3cret"], [:], "2 unexpected arguments"),
            (["GET", "http://h/", "--param", "s3cret"], [:], "'--param <name=value>'"),
            (["GET", "http://h/", "-Hs3cret"], [:], "'--header <name:value>'"),
            (["GET", "http://h/", "-os3cret", "-Hs3cret"], [:], "[redacted]"),
            (["GET", "/x", "--base-url", "h/s3cret"], [:], "invalid --base-url: the URL has no scheme"),
            (["GET", "/x", "--base-url", "ftp://h/s3cret"], [:], "invalid --base-url \"ftp://h\": the scheme"),
            (["GET", "http://h/", "--form=s3cret"], [:], "'--form <name=value>'"),
            (["GET", "http://h/", "--secret", "s3cret"], [:], "a signed request needs --devices-url"),
            (["GET", "http://h/", "--devices-url", "http://h/d"], [:], "needs a secret: set HELIUM_SECRET"),
            (
                ["GET", "http://h/", "--devices-url", "http://h/d", "--secret", "s3cret"], ["HELIUM_SECRET_ID": "x"],
                "invalid HELIUM_SECRET_ID: it must be 32"
            ),
            (
                ["GET", "http://h/", "--devices-url", "http://h/d", "--secret", "s3cret", "--secret-id", "X"], [:],
                "invalid --secret-id: it must be 32"
            ),
            (["GET", "http://h/", "-o", "-", "--resume"], [:], "--resume needs a file"),
        ] as [([String], [String: String], String)]
    )
    func errors(arguments: [String], environment: [String: String], message: String) async throws {
        let outcome = try await Tool.run(["request"] + arguments, environment: environment)
        #expect(outcome.status == 64 && outcome.stderr.contains(message) && outcome.stdout.isEmpty, "\(outcome)")
        #expect(!outcome.stderr.contains("s3cret"))
    }

    @Test(
        "helium request refuses a credential that is invalid in a header, and names its source",
        arguments: [
            (
                ["cosm", "feeds", "--base-url", "http://127.0.0.1:1/v2"], ["COSM_API_KEY": "s3cret\nb"],
                "COSM_API_KEY is invalid: "
            ),
            (
                ["cosm", "feeds", "--base-url", "http://127.0.0.1:1/v2", "--key", "s3cret b"], [:],
                "--key is invalid: "
            ),
            (
                ["appnet", "user", "me", "--base-url", "http://127.0.0.1:1/"], ["APPNET_TOKEN": "s3crét"],
                "APPNET_TOKEN is invalid: "
            ),
            (
                ["appnet", "user", "me", "--base-url", "http://127.0.0.1:1/", "--token", "s3cret b"], [:],
                "--token is invalid: "
            ),
        ] as [([String], [String: String], String)]
    )
    func credentials(arguments: [String], environment: [String: String], message: String) async throws {
        let outcome = try await Tool.run(arguments, environment: environment)
        #expect(outcome.status == 64 && outcome.stderr.contains(message) && outcome.stdout.isEmpty, "\(outcome)")
        #expect(!outcome.stderr.contains("s3cr"))
    }

    @Test(
        "helium request refuses the URL of a live connection, and names its source",
        arguments: [
            (["cosm", "watch", "1", "--socket-url", "zz"], [:], "invalid --socket-url: use http://"),
            (["cosm", "watch", "1"], ["COSM_SOCKET_URL": "zz"], "invalid COSM_SOCKET_URL: use http://"),
            (["appnet", "stream", "--token", "t", "--stream-url", "zz"], [:], "invalid --stream-url: use ws://"),
            (
                ["appnet", "stream", "--token", "t"], ["APPNET_STREAM_URL": "zz"],
                "invalid APPNET_STREAM_URL: use ws://"
            ),
        ] as [([String], [String: String], String)]
    )
    func liveURLs(arguments: [String], environment: [String: String], message: String) async throws {
        let outcome = try await Tool.run(arguments, environment: environment)
        #expect(outcome.status == 64 && outcome.stderr.contains(message) && outcome.stdout.isEmpty, "\(outcome)")
    }

    @Test("helium request sends a URL-encoded form, also with texts that begin with @")
    func form() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let form = ["--form", "b=1 2", "--form", "a=x", "--form", "a=y&z", "--form-string", "c=@d"]
            let outcome = try await Tool.run(["request", "POST", server.url] + form)
            #expect(outcome.status == 0, "\(outcome)")
            let request = try #require(server.requests.first)
            #expect(request.values(of: "Content-Type") == ["application/x-www-form-urlencoded"])
            #expect(String(decoding: request.body, as: UTF8.self) == "a=x&a=y%26z&b=1%202&c=%40d")
            #expect(
                "\(request)" == "#1 POST /, 26 bytes, connection 1",
                "a request is printed without what may be secret"
            )
        }
    }

    @Test("helium request sends a body from standard input or a pipe, also as JSON")
    func standardInput() async throws {
        try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
            let body = #"{"a":1}"#
            func expect(_ outcome: Tool.Outcome, _ options: [String], _ type: String) throws {
                #expect(outcome.status == 0, "\(options): \(outcome)")
                let request = try #require(server.requests.last)
                #expect(request.body == Data(body.utf8) && request.values(of: "Content-Type") == [type])
            }
            for (options, type) in [
                (["--upload", "-"], "application/octet-stream"), (["--json", "@-"], "application/json"),
            ] {
                let outcome = try await Tool.run(["request", "POST", server.url] + options, input: body)
                try expect(outcome, options, type)
            }
            // In a command that runs as a task, /dev/stdin is that of the test process.
            let outcome = try await Tool.shell(
                "printf '\(body)' | '\(Tool.executable.path)' request POST \(server.url) --upload /dev/stdin",
                in: URL(fileURLWithPath: "/tmp")
            )
            try expect(outcome, ["--upload", "/dev/stdin"], "application/octet-stream")
        }
    }

    @Test("helium request retries a POST with an idempotency key")
    func idempotencyKey() async throws {
        try await FaultServer.run(faults: [.unavailable(), .healthy]) { server in
            let outcome = try await Tool.run(["request", "POST", server.url, "--idempotency-key", "key-1"])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(server.requests.map { $0.values(of: "Idempotency-Key") } == [["key-1"], ["key-1"]])
        }
    }

    @Test("20,000 parameters of helium request cost time that grows with their number")
    func many() async throws {
        let parameters = (0..<20_000).flatMap { ["--param", "p\($0)=\($0)"] }
        let command = ["request", "GET", "http://h/x", "--curl"]
        // The parser's cost grows with the square of the number of arguments: it gets few.
        #expect(BulkOptions(command + parameters).rest == command)
        let outcome = try await Tool.run(command + parameters)
        #expect(outcome.status == 0 && outcome.stdout.contains("p19999="), "\(outcome.stderr)")
        let bad = try await Tool.run(["request", "GET", "http://h/x"] + parameters + ["--param", "s3cret"])
        #expect(bad.status == 64 && bad.stderr.contains("invalid --param: use name=value"))
    }

    @Test(
        "sizes on the command line have units of 1,024",
        arguments: [("0", 0), ("1000", 1000), ("2k", 2048), ("3M", 3 << 20), ("1g", 1 << 30)] as [(String, Int64)]
    )
    func sizes(text: String, bytes: Int64) { #expect(ByteSize(argument: text)?.bytes == bytes) }

    @Test(
        "an invalid size on the command line is refused",
        arguments: ["", "k", "-1", "1kb", "1.5M", "9999999999999999999", "9999999999999T"]
    )
    func badSizes(text: String) { #expect(ByteSize(argument: text) == nil) }
}
