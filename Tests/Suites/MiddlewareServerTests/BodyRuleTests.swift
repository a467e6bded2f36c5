import Foundation
import HTTPTypes
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Body parser of the middleware server", .timeLimit(.minutes(5)))
struct BodyRuleTests {
    private func parse(
        _ body: [UInt8],
        type: String?,
        coding: String? = nil,
        ceiling: Int = 512 * 1024
    ) throws(RequestDocument.Failure) -> RequestDocument {
        var fields = HTTPFields()
        fields[.contentType] = type
        fields[.contentEncoding] = coding
        return try RequestDocument.parse(body, fields: fields, ceiling: ceiling)
    }

    @Test(
        "a body is JSON only with the media type application/json, in any letter case and with parameters",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=UTF-8", true), ("application/json;x=y", true),
            ("application/json; charset=\"utf-16\"", true), ("application/vnd.api+json", false), ("text/json", false),
            ("application/x-www-form-urlencoded", false), ("", false),
        ]
    )
    func mediaTypes(_ type: String, _ isKept: Bool) throws {
        let document = try parse(Array(#"{"a":1}"#.utf8), type: type.isEmpty ? nil : type)
        #expect(document.text == (isKept ? #"{"a":1}"# : ""))
        #expect((document.document != nil) == isKept)
    }

    @Test("invalid UTF-8 in a body becomes U+FFFD, and a byte order mark stays in the signed text")
    func decodes() throws {
        let bad = try parse(Array(#"{"a":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8), type: "application/json")
        #expect(bad.text == "{\"a\":\"\u{FFFD}\u{FFFD}\"}")
        let marked = try parse([0xEF, 0xBB, 0xBF] + Array("[1]".utf8), type: "application/json")
        #expect(Array(marked.text.utf8).starts(with: [0xEF, 0xBB, 0xBF]))
        #expect(marked.document == [1])
    }

    @Test(
        "a body that is not an object or array of JSON is a bad request",
        arguments: ["name=x", "1", "\"a\"", "null", "true", "{", " "]
    )
    func refusesOthers(_ text: String) {
        #expect(throws: RequestDocument.Failure(status: .badRequest)) {
            try parse(Array(text.utf8), type: "application/json")
        }
    }

    @Test(
        "a body in UTF-16 is read by its charset, and signed as its bytes in UTF-8",
        arguments: [("utf-16", false), ("UTF-16LE", false), ("utf-16be", true), ("utf-16", true)]
    )
    func utf16(_ charset: String, _ isBigEndian: Bool) throws {
        let bytes = #"{"a":"é"}"#.utf16.flatMap { unit -> [UInt8] in
            let pair = [UInt8(unit >> 8), UInt8(unit & 255)]
            return isBigEndian ? pair : pair.reversed()
        }
        let document = try parse(bytes, type: "application/json; charset=\(charset)")
        #expect(document.document == ["a": "é"])
        #expect(document.text == String(decoding: bytes, as: UTF8.self))
        #expect(throws: RequestDocument.Failure(status: .badRequest)) { try parse(bytes, type: "application/json") }
    }

    @Test("a body with another charset or coding is an unsupported media type")
    func refusesCharset() {
        #expect(throws: RequestDocument.Failure(status: .unsupportedMediaType)) {
            try parse(Array("{}".utf8), type: "application/json; charset=iso-8859-1")
        }
        #expect(throws: RequestDocument.Failure(status: .unsupportedMediaType)) {
            try parse(Array("{}".utf8), type: "application/json", coding: "br")
        }
    }

    @Test("the limit of a body counts decompressed bytes")
    func ceiling() throws {
        let exact = Array("[\"".utf8) + [UInt8](repeating: 97, count: 996) + Array("\"]".utf8)
        #expect(try parse(exact, type: "application/json", ceiling: 1000).text.utf8.count == 1000)
        #expect(throws: RequestDocument.Failure(status: .contentTooLarge)) {
            try parse(exact, type: "application/json", ceiling: 999)
        }
        let packed = ContentCoding.gzip(exact)
        #expect(packed.count < 100)
        #expect(try parse(packed, type: "application/json", coding: "gzip", ceiling: 1000).text.utf8.count == 1000)
        #expect(throws: RequestDocument.Failure(status: .contentTooLarge)) {
            try parse(packed, type: "application/json", coding: "gzip", ceiling: 999)
        }
    }

    @Test("a gzip bomb is refused without decompressing it")
    func bomb() {
        let packed = ContentCoding.gzip([UInt8](repeating: 32, count: 64 * 1024 * 1024))
        #expect(packed.count < 100_000)
        #expect(throws: RequestDocument.Failure(status: .contentTooLarge)) {
            try parse(packed, type: "application/json", coding: "gzip")
        }
    }

    @Test("a compressed body that is damaged or cut is a bad request")
    func damaged() {
        let packed = ContentCoding.gzip(Array("{}".utf8))
        for body in [Array(packed.dropLast(4)), Array("{}".utf8), [0x1F, 0x8B]] {
            #expect(throws: RequestDocument.Failure(status: .badRequest)) {
                try parse(body, type: "application/json", coding: "gzip")
            }
        }
    }

    @Test("bodies compressed by Python's zlib and gzip are decompressed", .enabled(if: Python.isThere))
    func foreignCodings() async throws {
        let packed = try await Python.run(
            "import sys,zlib;sys.stdout.buffer.write(zlib.compress(b'{\"a\":[1,2]}'))",
            []
        )
        #expect(try parse(packed, type: "application/json", coding: "deflate").text == #"{"a":[1,2]}"#)
        let text = [UInt8]((0..<50_000).map { UInt8(truncatingIfNeeded: ($0 * $0) >> 3) })
        let script = "import sys,gzip;sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"
        #expect(try await Python.run(script, ContentCoding.gzip(text)) == text)
    }

    @Test("the signature of a gzip body is checked over its decompressed text")
    func signedGzip() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let device = try await peer.register()
            let json = #"{"name":"packed"}"#
            let key = peer.key("POST", "/demo-auth/v1/todo", device: device, json: json)
            let fields = [("key", key), ("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
            let body = ContentCoding.gzip(Array(json.utf8))
            let answer = try await peer.send("POST", "/demo-auth/v1/todo", fields: fields, body: body)
            #expect(answer.status == 200, "\(answer.text)")
        }
    }

    @Test(
        "an invalid body is refused before the key is checked, in the envelope and without the time",
        arguments: [
            ("application/json", "x", 400, "BadRequest"),
            ("application/json; charset=latin1", "{}", 415, "InternalServerError"),
        ]
    )
    func overTheWire(_ type: String, _ body: String, _ status: Int, _ code: String) async throws {
        try await withEmbeddedServer { running in
            let answer = try await Peer(running: running)
                .send("POST", "/demo-auth/v1/todo", fields: [("Content-Type", type)], body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.codes == [code])
            #expect(answer["timestamp"] == nil)
        }
    }

    @Test("a JSON body over 512 kB is refused with 413, and the connection stays open")
    func tooLargeOverTheWire() async throws {
        try await withEmbeddedServer { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            let body = Array("[\"".utf8) + [UInt8](repeating: 97, count: 512 * 1024) + Array("\"]".utf8)
            let fields = [("Content-Type", "application/json")]
            try await connection.send(
                Peer.bytes("POST", "/demo-auth/v1/todo", host: peer.host, fields: fields, body: body)
            )
            let answer = try await connection.answer()
            #expect(answer.status == 413)
            #expect(answer.codes == ["InternalServerError"])
            try await connection.send(Peer.bytes("GET", "/demo-auth/v1/services", host: peer.host))
            #expect(try await connection.answer().status == 200)
        }
    }

    @Test("a body over the transport's limit is refused with 413 while it is received, whatever its type")
    func endlessBody() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.bodyBytes = 10_000
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let connection = try RawConnection(port: peer.port)
            let head = "POST /demo-auth/v1/todo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n"
            try await connection.send(head)
            try await connection.send([UInt8](repeating: 0, count: 100_000))
            let answer = try await connection.answer()
            #expect(answer.status == 413)
            #expect(try await connection.readToEnd() == [])
        }
    }
}

/// The machine's Python as an independent implementation of zlib's formats.
enum Python {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    static func run(_ script: String, _ input: [UInt8]) async throws -> [UInt8] {
        let tool = Tool("/usr/bin/python3", ["-c", script])
        return try await tool.exchange(input, endsInput: true) { _ in false }
    }
}
