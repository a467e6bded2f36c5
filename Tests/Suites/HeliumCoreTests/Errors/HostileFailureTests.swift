import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Testing

/// Tests of the harm that a server can try to do with the text of an error.
@Suite("Hostile texts in error responses", .timeLimit(.minutes(5)))
struct HostileFailureTests {
    private static let marks = String(repeating: "\u{301}\u{316}", count: 1 << 19)

    private func failure(
        _ body: String,
        type: String = "application/json",
        fields: HTTPFields = [:],
        authorizer: any Authorizer = NoAuthorizer()
    ) async throws -> HeliumError {
        var all = fields
        all[.contentType] = type
        let response = TransportResponse.data(Data(body.utf8), status: 500, fields: all)
        let pipeline = try makePipeline(transport(answering: [.success(response)]), authorizer: authorizer)
        return try await HeliumCoreTests.failure { try await pipeline.call(.get, "/").value() }
    }

    @Test("a large body of an error is not parsed, and is kept")
    func large() async throws {
        let body = #"{"errors":["# + String(repeating: "1,", count: 1 << 22) + "1]}"
        let error = try await failure(body)
        #expect(error.serverErrors.isEmpty && error.body?.count == body.utf8.count)
        #expect(error.errorBody == .other(mediaType: "application/json"))
        #expect(error.description.utf8.count < 2048)
        let problem = try await failure(#"{"detail":"\#(Self.marks)"}"#, type: "application/problem+json")
        #expect(problem.errorBody == .other(mediaType: "application/problem+json"))
    }

    @Test("the first hundred errors of a body are kept, and the first ten shown")
    func many() async throws {
        let error = try await failure(#"{"errors":["# + String(repeating: #"{"code":"E"},"#, count: 4000) + "1]}")
        #expect(error.serverErrors.count == 100)
        #expect(error.description.hasSuffix("{E} and 90 more"))
    }

    @Test("texts of errors are cut in bytes", arguments: ["x", "e\u{301}\u{316}", "\u{1F9C1}"])
    func long(unit: String) async throws {
        let text = String(repeating: unit, count: 20_000 / unit.utf8.count)
        let error = try await failure(#"{"errors":[{"code":"\#(text)","msg":"\#(text)"}]}"#)
        let message = try #require(error.serverErrors.first?.message)
        #expect((4090...4096).contains(message.utf8.count))
        #expect(error.description.utf8.count < 4096)
        #expect((1020...1024).contains(try #require(error.bodyExcerpt).utf8.count))
    }

    @Test(
        "a text of a million combining marks costs no more than its length",
        arguments: ["text/plain", "text/html", "application/json", "application/problem+json"]
    )
    func marks(type: String) async throws {
        for (before, after) in [("", ""), (#"{"errors":[{"msg":""#, #""}]}"#), ("<html><title>", "</title>")] {
            let error = try await failure(before + Self.marks + after, type: type)
            #expect(error.description.utf8.count < 8192)
        }
    }

    @Test("a problem document with a deeply nested text is parsed once")
    func nested() throws {
        let text = String(repeating: "x", count: 60_000)
        let json = String(repeating: "[", count: 400) + "\"\(text)\"" + String(repeating: "]", count: 400)
        let body = Data(#"{"deep":\#(json),"\#(String(repeating: "n", count: 300))":1}"#.utf8)
        let found = ErrorBody(status: 400, contentType: "application/problem+json", body: body)
        var expected = ProblemDetails()
        expected.extensions = ["deep": json]
        #expect(found == .problem(expected))
    }

    @Test("control characters of a server are escaped in all descriptions")
    func controls() async throws {
        let bad = "a\u{1b}[31m\nFAKE log line\r\t\u{7}\u{9b}2J\u{202E}\u{2028}b"
        let shown = #"a\u{1b}[31m\nFAKE log line\r\t\u{7}\u{9b}2J\u{202e}\u{2028}b"#
        let json = String(
            decoding: try HeliumJSONEncoder.bodies.encode(["errors": [["code": bad, "msg": bad]]]),
            as: UTF8.self
        )
        let error = try await failure(json)
        #expect(error.serverErrors == [ServerError(code: bad, message: bad)])
        #expect(error.serverErrors.first?.description == "\(shown): \(shown)")
        #expect(error.description.contains("server: {\(shown): \(shown)}"))

        let plain = try await failure(bad, type: "text/plain")
        #expect(plain.bodyExcerpt == shown && plain.errorBody == .text(bad) && "\(ErrorBody.text(bad))" == shown)
        #expect(plain.description.hasSuffix("body: \(shown)"))
        var problem = ProblemDetails()
        (problem.title, problem.detail, problem.instance) = (bad, bad, bad)
        #expect(problem.description == "\(shown): \(shown) (\(shown))")
        #expect(ErrorBody.html(title: bad).description.hasSuffix(": \(shown)"))
        let head = ResponseHead(status: 200, section: Array("X-Note: \u{1b}[31m\u{9b}\r\n".utf8))
        #expect(head.description == #"HTTP/1.1 200 [X-Note: \u{1b}[31m\u{9b}]"#)
        for text in [error.description, plain.description, problem.description, head.description] {
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        }
    }

    @Test(
        "ordinary text of an error is shown unchanged",
        arguments: ["", "Grüße, 世界 🧁", "a \\n b", "e\u{301}\u{A0}\u{2003}"]
    )
    func ordinary(text: String) { #expect(PeerText.escaped(text) == text) }

    @Test("a token that a server echoes in a field is masked in errors and responses")
    func echoedBearer() async throws {
        let fields: HTTPFields = [
            HTTPField.Name(constant: "x-echo"): "you sent Bearer s3cret-token-value", .eTag: "\"s3cret-token-value\"",
        ]
        let authorizer = try FieldAuthorizer(
            name: .authorization,
            prefix: "Bearer ",
            secret: Secret("s3cret-token-value")
        )
        let error = try await failure("no", type: "text/plain", fields: fields, authorizer: authorizer)
        let head = try #require(error.head)
        #expect("\(head)".contains("x-echo: you sent Bearer [redacted]") && !"\(head)".contains("s3cret"))
        let answers = transport(answering: [.success(.json("[]", fields: fields))])
        let response = try await makePipeline(answers, authorizer: authorizer).get("/", as: [Int].self).response()
        #expect(!"\(response.head) \(response)".contains("s3cret"))
    }
}
