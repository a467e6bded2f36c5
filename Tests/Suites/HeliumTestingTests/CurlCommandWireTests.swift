import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import HeliumTesting
import Testing

/// Requests that a careless command would change on their way.
struct NastyRequest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = "GET"
    var target = "/"
    var host = "127.0.0.1"
    var fields: [(String, [UInt8])] = []
    var body: Data?

    static let all: [NastyRequest] = [
        NastyRequest("nothing"),
        NastyRequest("the usual") {
            $0.fields = [("Accept", "application/json"), ("User-Agent", "helium/1")].map { ($0, Array($1.utf8)) }
        },
        NastyRequest("dots") { $0.target = "/a/../b/./%2e%2E/c" },
        NastyRequest("globs") { $0.target = "/{a,b}/[1-3]?x={}&y=[]" },
        NastyRequest("lone question mark") { $0.target = "/x?" },
        NastyRequest("empty segments") { $0.target = "//a//b/" },
        NastyRequest("broken escapes") { $0.target = "/%zz/%7e?%" },
        NastyRequest("shell characters") { $0.target = "/'$(id)`id`\"\\;&|<>*!?a=$HOME&b='" },
        NastyRequest("short address") { $0.host = "127.1" },
        NastyRequest("name") { $0.host = "localhost" },
        NastyRequest("empty field") { $0.fields = [("X-Empty", []), ("X-Full", [0x61])] },
        NastyRequest("field with quotes") { $0.fields = [("X-Quote", Array(#"it's "$HOME" \ `id` !x @y ;"#.utf8))] },
        NastyRequest("field beyond ASCII") { $0.fields = [("X-Name", Array("Zoë ✓".utf8))] },
        NastyRequest("field beyond UTF-8") { $0.fields = [("X-Latin", [0x5A, 0x6F, 0xEB, 0xFF])] },
        NastyRequest("field with a tab") { $0.fields = [("X-Tab", Array("a\tb".utf8))] },
        NastyRequest("field twice") { $0.fields = [("X-A", [0x31]), ("X-B", [0x32]), ("X-A", [0x33])] },
        NastyRequest("field that begins like a file") { $0.fields = [("X-At", Array("@/etc/hostname".utf8))] },
        NastyRequest("own Expect removed", body: String(repeating: "x", count: 2_000_000)),
        NastyRequest("empty body", body: ""),
        NastyRequest("body that begins like a file", body: "@/etc/hostname"),
        NastyRequest("body that begins like an option", body: "--version"),
        NastyRequest("body with quotes", body: #"it's "quoted" '' \' \n $HOME `id` $(id) !! %s %d \\"#),
        NastyRequest("body with line feeds", body: "\n\na\nb\n\n"),
        NastyRequest("body with carriage returns", body: "a\r\nb\r"),
        NastyRequest("body with digits after a control", body: "\u{1}234\u{0}567-"),
        NastyRequest("body of another script", body: "naïve – 日本語 🎈 a\u{202E}b"),
        NastyRequest("long text", body: String(repeating: "it's 100 % long\n", count: 6000)),
        NastyRequest("every byte") { $0.body = Data((0...255).map { UInt8($0) }) },
        NastyRequest("every byte backwards, often") {
            $0.body = Data((0..<20).flatMap { _ in (0...255).reversed().map { UInt8($0) } })
        },
        NastyRequest("no text, minus first") { $0.body = Data([0x2D, 0xFF, 0x0A, 0x0A]) },
        NastyRequest("GET with a body", body: "{}") { $0.method = "GET" },
        NastyRequest("PUT with a type", body: "{}") {
            $0.method = "PUT"
            $0.fields = [("Content-Type", Array("application/json".utf8)), ("Expect", Array("nothing".utf8))]
        },
        NastyRequest("DELETE") { $0.method = "DELETE" },
        NastyRequest("POST without a body") { $0.method = "POST" },
        NastyRequest("HEAD") { $0.method = "HEAD" },
        NastyRequest("method with quotes") { $0.method = "R'E*P" },
    ]

    init(_ name: String, body: String? = nil, _ change: (inout NastyRequest) -> Void = { _ in }) {
        testDescription = name
        self.body = body.map { Data($0.utf8) }
        if body != nil { method = "POST" }
        change(&self)
    }

    func request(port: Int) throws -> TransportRequest {
        var request = TransportRequest(
            method: try #require(HTTPRequest.Method(rawValue: method)),
            url: try RequestURL("http://\(host):\(port)\(target)"),
            body: body
        )
        for (name, value) in fields {
            request.fields.append(HTTPField(name: try #require(HTTPField.Name(name)), lenientValue: value))
        }
        return request
    }
}

@Suite("cURL command over the wire", .timeLimit(.minutes(5)))
struct CurlCommandWireTests {
    @Test(
        "a cURL command sends the same bytes as the transport",
        .enabled(if: Shell.hasCurl, "the curl tool is not installed"),
        arguments: NastyRequest.all
    )
    func sendsTheSame(nasty: NastyRequest) async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            let request = try nasty.request(port: server.port)
            try await withCurlTransport { _ = try await $0.execute(request) }
            try await Shell.run(request.curlCommand(showingSecrets: true))
            let requests = server.requests
            try #require(requests.count == 2)
            #expect(
                requests[0].head == requests[1].head,
                "\(String(decoding: requests[0].head, as: UTF8.self))\(String(decoding: requests[1].head, as: UTF8.self))"
            )
            #expect(requests[0].body == requests[1].body && requests[0].body == nasty.body ?? Data())
        }
    }

    @Test(
        "a masked cURL command can be run, and sends no secret",
        .enabled(if: Shell.hasCurl, "the curl tool is not installed")
    )
    func sendsMasked() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            var request = try TransportRequest(
                .post,
                to: server.url + "/x?key=s3cret-q",
                body: #"{"token":"s3cret-b"}"#
            )
            request.fields[.authorization] = "Bearer s3cret-h"
            try await Shell.run(request.curlCommand())
            let received = try #require(server.requests.first)
            let all = String(decoding: received.head + received.body, as: UTF8.self)
            #expect(!all.contains("s3cret") && all.hasPrefix("POST /x?key=*** HTTP/1.1"))
            #expect(all.hasSuffix(#"{"token":"[redacted]"}"#))
        }
    }

    @Test(
        "a cURL command of a streamed body reads standard input",
        .enabled(if: Shell.hasCurl, "the curl tool is not installed")
    )
    func sendsUpload() async throws {
        try await FaultServer.run({ _ in [.answer()] }) { server in
            let body = Data((0...255).map { UInt8($0) })
            var request = try TransportRequest(.post, to: server.url)
            request.upload = UploadBody(length: 256, isReplayable: false) { throw CancellationError() }
            try await Shell.run(request.curlCommand(), input: body)
            #expect(server.requests.first?.body == body)
        }
    }
}
