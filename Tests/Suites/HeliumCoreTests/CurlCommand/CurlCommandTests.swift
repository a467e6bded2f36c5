import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Testing

@Suite("cURL command")
struct CurlCommandTests {
    private func request(_ url: String, _ change: (inout TransportRequest) -> Void = { _ in }) throws
        -> TransportRequest
    {
        var request = TransportRequest(method: .get, url: try RequestURL(url))
        request.timeouts.connect = nil
        request.timeouts.total = nil
        change(&request)
        return request
    }

    @Test("a cURL command has only the options that its request needs")
    func plain() throws {
        let fields: HTTPFields = [.accept: "application/json", .userAgent: "helium/1"]
        #expect(
            try request("https://api.example.com/todo") { $0.fields = fields }.curlCommand() == #"""
                curl --disable --noproxy '*' \
                  --compressed \
                  --header 'Accept-Encoding: gzip, deflate' \
                  --header 'Accept: application/json' \
                  --header 'User-Agent: helium/1' \
                  'https://api.example.com/todo'
                """#
        )
    }

    @Test("a cURL command removes fields that the tool would add")
    func removals() throws {
        let command = try request("http://h/") {
            $0.method = .post
            $0.body = Data("it's".utf8)
        }.curlCommand()
        for name in ["Accept", "User-Agent", "Expect", "Content-Type"] {
            #expect(command.contains("--header '\(name):'"))
        }
        #expect(command.contains(#"--data-raw 'it'\''s'"#) && !command.contains("--request"))
    }

    @Test(
        "a cURL command names the method if other options do not imply it",
        arguments: [
            ("GET", false, nil), ("GET", true, "--request 'GET'"), ("POST", true, nil),
            ("POST", false, nil), ("PUT", false, "--request 'PUT'"),
            ("HEAD", false, "--head"), ("DELETE", false, "--request 'DELETE'"),
        ] as [(String, Bool, String?)]
    )
    func methods(method: String, hasBody: Bool, option: String?) throws {
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let command = try request("http://h/") {
            $0.method = method
            $0.body = hasBody ? Data() : nil
        }.curlCommand()
        if let option {
            #expect(command.contains(option))
        } else {
            #expect(!command.contains("--request") && !command.contains("--head "))
        }
        let sendsLength = hasBody || method == .post || method == .put
        #expect(command.contains("--data-raw ''") == sendsLength)
    }

    @Test(
        "a cURL command protects the target from the tool's URL parser if needed",
        arguments: [
            ("/a?x=1", []), ("/a/../b", ["--path-as-is"]), ("/%2E/b", ["--path-as-is"]), ("/{id}", ["--globoff"]),
            ("/x?", ["--request-target '/x?'"]), ("/%7e", ["--request-target '/%7e'"]),
            ("/a|b", ["--request-target '/a|b'"]), ("/%zz", ["--request-target '/%zz'"]),
        ] as [(String, [String])]
    )
    func targets(target: String, options: [String]) throws {
        let command = try request("http://h" + target).curlCommand(showingSecrets: true)
        for option in options { #expect(command.contains(option)) }
        let guards = ["--path-as-is", "--globoff", "--request-target"]
        #expect(guards.filter { command.contains($0) }.count == options.count)
        #expect(command.contains("'http://h\(target)'") != command.contains("--request-target"))
    }

    @Test("a cURL command has the timeouts and the HTTP version")
    func limits() throws {
        let command = try request("http://h/") {
            $0.timeouts.connect = .milliseconds(1500)
            $0.timeouts.total = .nanoseconds(1)
            $0.version = .http1
        }.curlCommand()
        #expect(
            command.contains("--connect-timeout 1.500") && command.contains("--max-time 0.001")
                && command.contains("--http1.1")
        )
        let cleartext = try request("http://h/") { $0.version = .http2PriorKnowledge }.curlCommand()
        #expect(cleartext.contains("--http2-prior-knowledge"))
        let secure = try request("https://h/") { $0.version = .http2PriorKnowledge }.curlCommand()
        #expect(secure.contains("--http2 ") && !secure.contains("prior"))
    }

    @Test(
        "a cURL command has no control character",
        arguments: ["a\tb", "\u{1B}[31m", "\u{0}", "\r\n", "a\u{202E}b", "\u{7F}", "\u{9B}"]
    )
    func controls(body: String) throws {
        let command = try request("http://h/") { $0.body = Data(body.utf8) }.curlCommand()
        let printed = command.utf8.allSatisfy { $0 == 10 || 0x20...0x7E ~= $0 }
        #expect(printed && command.hasPrefix("printf '") && command.contains("--data-binary @-"))
    }

    @Test("a cURL command has no compression if the request accepts none")
    func identity() throws {
        let command = try request("http://h/") { $0.acceptsContentCodings = false }.curlCommand()
        #expect(command.contains("--header 'Accept-Encoding: identity'") && !command.contains("--compressed"))
    }

    @Test("a cURL command of a streamed body reads standard input")
    func upload() throws {
        let known = UploadBody(length: 3, isReplayable: false) { throw CancellationError() }
        let unknown = UploadBody(length: nil, isReplayable: false) { throw CancellationError() }
        let command = try request("http://h/") { $0.upload = known }.curlCommand()
        #expect(command.contains("--data-binary @-") && !command.contains("chunked"))
        #expect(try request("http://h/") { $0.upload = unknown }.curlCommand().contains("'Transfer-Encoding: chunked'"))
    }
}

@Suite("cURL command: secrets")
struct CurlCommandSecretsTests {
    @Test("a cURL command masks credentials, query values and secret members unless asked otherwise")
    func masks() throws {
        let hex = String(repeating: "0f", count: 32)
        let request = TransportRequest(
            method: .post,
            url: try RequestURL("http://h/kn%2Fown/x?q=v4lue&flag"),
            fields: [
                .authorization: "Bearer t0ken", .cookie: "c00kie", .contentType: "application/json", .from: "KN/OWN",
            ],
            body: Data(#"{"user":"ann","pass\u0077ord": {"a":["p4ss"]},"note":"kn\/own","h":"\#(hex)"}"#.utf8)
        )
        let secrets = ["t0ken", "c00kie", "v4lue", "p4ss", "kn%2Fown", #"kn\/own"#, "KN/OWN", hex, "&flag"]
        let masked = request.curlCommand(secrets: ["kn/own"])
        for secret in secrets { #expect(!masked.contains(secret), "\(secret)") }
        #expect(masked.contains(#""user":"ann""#) && masked.contains("Authorization: [redacted]"))
        #expect(masked.contains("?q=***&***"))
        let shown = request.curlCommand(showingSecrets: true)
        for secret in secrets { #expect(shown.contains(secret), "\(secret)") }
    }

    @Test(
        "secret members of a cURL command's body are found in any text",
        arguments: [
            (#"{"password":"x"}"#, #"{"password":"[redacted]"}"#),
            (#"{"token" : 12 , "a":1}"#, #"{"token" : "[redacted]" , "a":1}"#),
            (#"[{"secret":[1,{"b":"]"}]},2]"#, #"[{"secret":"[redacted]"},2]"#),
            (#"{"token":null,"a":"token"}"#, #"{"token":null,"a":"token"}"#),
            (#"{"token":"open"#, #"{"token":"[redacted]""#), (#"{"token": a b"#, #"{"token": "[redacted]""#),
            (#"{"token"#, #"{"token"#), (#"{"token":"#, #"{"token":"#), (#"{"token\"#, #"{"token\"#),
            ("{\"token\":\"a\"}\n{\"token\":\"b\"}", "{\"token\":\"[redacted]\"}\n{\"token\":\"[redacted]\"}"),
        ]
    )
    func members(text: String, masked: String) throws {
        let out = SecretScrubber().body(Data(text.utf8), contentType: "application/json", masksLongHex: false)
        #expect(String(decoding: out, as: UTF8.self) == masked)
    }

    @Test(
        "a known secret is found in each of its encodings",
        arguments: [
            "p/ß&\"x", "P/ß&\"X", "p%2Fß%26%22x", "p%2f%c3%9f&%22x", "%70/ß&\"x", #"p\/ß&\"x"#, #"p/ß&\"x"#,
            #"p/\u00DF&\"x"#,
            #"p/ß\u0026\"x"#, Data("p/ß&\"x".utf8).base64EncodedString(),
        ]
    )
    func forms(text: String) {
        let scrubber = SecretScrubber(secrets: ["p/ß&\"x"])
        #expect(scrubber.text("a\(text)b") == "a[redacted]b")
        #expect(scrubber.text("p/ß&") == "p/ß&")
    }

    @Test("secret members of a form are masked")
    func form() {
        let out = SecretScrubber(members: ["pin"]).body(
            Data("name=ann&pass%77ord=x&PIN=1".utf8),
            contentType: "application/x-www-form-urlencoded",
            masksLongHex: false
        )
        #expect(String(decoding: out, as: UTF8.self) == "name=ann&pass%77ord=***&PIN=***")
    }

    @Test("all values of a form are masked in a cURL command, as those of a query")
    func formCommand() throws {
        var command = TransportRequest(method: .post, url: try RequestURL("http://h/?a=s3cret-1"))
        command.body = Data("note=s3cret-2&x".utf8)
        command.fields[.contentType] = "application/x-www-form-urlencoded"
        #expect(
            command.curlCommand().contains("--data-raw 'note=***&***'") && !command.curlCommand().contains("s3cret")
        )
        #expect(command.curlCommand(showingSecrets: true).contains("--data-raw 'note=s3cret-2&x'"))
    }

    @Test("the cURL command of a builder masks the secrets of its authorizer")
    func builder() async throws {
        let transport = MockTransport(answers: [.empty()])
        let authorizer = try FieldAuthorizer(name: HTTPField.Name(constant: "X-Custom"), secret: "s3cret-value")
        let pipeline = try makePipeline(transport, authorizer: authorizer)
        let builder = pipeline.call(.put, "/todo/:id", .text("with s3cret-value")).pathReplacements(["id": "1"])
        let plain = try await builder.curlCommand()
        #expect(!plain.contains("s3cret-value") && !plain.contains("X-Custom"))
        #expect(plain.contains("--data-raw 'with [redacted]'") && plain.contains("'https://api.example.com/todo/1'"))
        #expect(try await builder.curlCommand(authorized: true).contains("'X-Custom: [redacted]'"))
        let shown = try await builder.curlCommand(showingSecrets: true, authorized: true)
        #expect(shown.contains("'X-Custom: s3cret-value'"))
        #expect(transport.requests.isEmpty)
    }

    @Test("the cURL command of an invalid builder fails as its call would")
    func failures() async throws {
        struct Failing: Authorizer {
            func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {
                throw UnexpectedSuccess()
            }
        }
        let pipeline = try makePipeline(MockTransport(answers: [.empty()]), authorizer: Failing())
        let missing = try await failure { try await pipeline.call(.get, "/:id").curlCommand() }
        #expect(missing.kind == .invalidRequest)
        let refused = try await failure { try await pipeline.call(.get, "/").curlCommand(authorized: true) }
        #expect(refused.kind == .authorizationFailed && refused.delivery == .notSent)
    }
}
