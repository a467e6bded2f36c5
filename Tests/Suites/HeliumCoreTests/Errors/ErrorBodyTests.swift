import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@testable import HeliumCore

@Suite("Bodies of error responses")
struct ErrorBodyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var contentType: String?
        var body: String
        var status = 500
        var expected: ErrorBody

        var testDescription: String { "\(status) \(contentType ?? "no type") \(body.prefix(40))" }
    }

    private static let nginx = """
        <html>\r
        <head><title>502 Bad Gateway</title></head>\r
        <body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>\r
        </html>\r
        """

    private static var problem: ProblemDetails {
        var problem = ProblemDetails()
        problem.type = "https://example.com/probs/out-of-credit"
        problem.title = "You do not have enough credit."
        problem.status = 403
        problem.detail = "Your current balance is 30, but that costs 50."
        problem.instance = "/account/12345/msgs/abc"
        problem.extensions = [
            "balance": "30", "accounts": #"["/account/12345",{"a":null,"b":"q\"\n"}]"#, "hint": "pay",
        ]
        return problem
    }

    @Test(
        "the body of an error is classified by status, media type and first bytes",
        arguments: [
            Case(contentType: "application/json", body: "", expected: .empty),
            Case(contentType: "text/plain", body: "x", status: 304, expected: .empty),
            Case(contentType: "text/html", body: nginx, status: 502, expected: .html(title: "502 Bad Gateway")),
            Case(contentType: "application/json", body: nginx, expected: .html(title: "502 Bad Gateway")),
            Case(
                contentType: nil,
                body: "\u{FEFF}\n <!DOCTYPE HTML><p>Tea &amp;\n pots",
                expected: .html(title: "Tea & pots")
            ),
            Case(contentType: "text/html", body: "<p>Busy</p>", expected: .html(title: "Busy")),
            Case(
                contentType: "text/html",
                body: "<html><script>if (a) { b }</script><style>p {}</style><!-- <title>no</title> --> yes",
                expected: .html(title: "yes")
            ),
            Case(contentType: "text/html", body: "<html><title> </title><body></body>", expected: .html(title: nil)),
            Case(contentType: "text/html", body: "<html><title", expected: .html(title: nil)),
            Case(contentType: "text/html", body: #"{"a":1}"#, expected: .other(mediaType: "text/html")),
            Case(
                contentType: "application/problem+json; charset=utf-8",
                body: #"""
                    {"type":"https://example.com/probs/out-of-credit","title":"You do not have enough credit.","status":403,
                    "detail":"Your current balance is 30, but that costs 50.","instance":"/account/12345/msgs/abc",
                    "balance":30,"accounts":["/account/12345",{"b":"q\"\n","a":null}],"hint":"pay"}
                    """#,
                status: 403,
                expected: .problem(problem)
            ),
            Case(contentType: "application/problem+json", body: "{}", expected: .problem(ProblemDetails())),
            Case(
                contentType: "application/problem+json",
                body: #"{"type":1,"status":"x","title":null}"#,
                expected: .problem(ProblemDetails())
            ),
            Case(
                contentType: "application/problem+json",
                body: "{",
                expected: .other(mediaType: "application/problem+json")
            ),
            Case(contentType: "application/json", body: #"{"a":1}"#, expected: .other(mediaType: "application/json")),
            Case(contentType: "text/plain", body: " upstream timed out\n", expected: .text("upstream timed out")),
            Case(contentType: nil, body: "no healthy upstream", expected: .text("no healthy upstream")),
            Case(contentType: "text/plain", body: "a\0b", expected: .other(mediaType: "text/plain")),
            Case(contentType: "image/png", body: "PNG", expected: .other(mediaType: "image/png")),
            Case(contentType: "nonsense", body: "text", expected: .text("text")),
        ]
    )
    func judged(_ example: Case) {
        let body = ErrorBody(status: example.status, contentType: example.contentType, body: Data(example.body.utf8))
        #expect(body == example.expected)
    }

    @Test("errors of the API's own form are decoded with any media type")
    func errors() {
        let json = Data(#"{"errors":[{"code":"A"}]}"#.utf8)
        let errors = ResponseEnvelope.raw.serverErrors(
            in: json,
            as: ServerError.self,
            using: FoundationJSONDecoder()
        )
        for type in ["application/json", "text/html", "text/plain", nil] {
            let body = ErrorBody(status: 400, contentType: type, body: json, serverErrors: errors)
            #expect(body == .errors([ServerError(code: "A")]))
        }
    }

    @Test("a long, binary or cut body of an error is shown briefly")
    func hostile() {
        let long = ErrorBody(
            status: 500,
            contentType: "text/plain",
            body: Data(String(repeating: "\u{1F9C1}", count: 100_000).utf8)
        )
        #expect(long == .text(String(repeating: "\u{1F9C1}", count: 1024)))
        let shifted = Data("a".utf8) + Data(String(repeating: "\u{1F9C1}", count: 100_000).utf8)
        guard case .text = ErrorBody(status: 500, contentType: nil, body: shifted) else {
            Issue.record("cut through a character")
            return
        }
        let page = "<html>" + String(repeating: "<", count: 1 << 20)
        #expect(ErrorBody(status: 500, contentType: nil, body: Data(page.utf8)) == .html(title: nil))
        let title = "<html><title>" + String(repeating: "x", count: 1 << 20)
        let told = ErrorBody(status: 500, contentType: nil, body: Data(title.utf8))
        #expect(told == .html(title: String(repeating: "x", count: 120)))
        #expect(ErrorBody(status: 500, contentType: nil, body: Data([0xFF, 0xFE, 0x00])) == .other(mediaType: nil))
    }

    @Test("secrets that servers echo in a body are masked")
    func redaction() {
        let redactor = Redactor(secrets: ["s3cret-token"])
        var problem = ProblemDetails()
        problem.detail = "no s3cret-token"
        problem.extensions = ["token": "s3cret-token"]
        let bodies: [ErrorBody] = [
            .problem(problem), .text("s3cret-token"), .html(title: "s3cret-token"),
            .errors([ServerError(code: "s3cret-token")]),
        ]
        for body in bodies {
            #expect(!"\(body.redacted(by: redactor))".contains("s3cret"))
            #expect(body.redacted(by: redactor) != body)
        }
    }

    @Test("the body of an error is in its description without markup, and can be decoded")
    func description() async throws {
        var error = HeliumError(
            .unacceptableStatus,
            request: RequestSummary(method: .get, url: "https://api.example.com/a"),
            delivery: .answered,
            message: "status 502 is not acceptable"
        )
        #expect(error.errorBody == nil)
        error[fact: \.bodyExcerpt] = Self.nginx
        error[fact: \.errorBody] = .html(title: "502 Bad Gateway")
        #expect(error.description.hasSuffix("server: HTML page, possibly from a proxy: 502 Bad Gateway"))
        #expect(!error.description.contains("<"))
        error[fact: \.errorBody] = .problem(Self.problem)
        #expect(error.description.contains("enough credit.: Your current balance is 30"))

        struct Conflict: Decodable, Equatable { let current: Int }
        error[fact: \.body] = Data(#"{"error":{"current":7}}"#.utf8)
        #expect(try error.decodedBody(as: Conflict.self, at: ["error"]) == Conflict(current: 7))
        #expect(throws: DecodingError.self) { try error.decodedBody(as: Conflict.self) }
        #expect(throws: DecodingError.self) { try error.decodedBody(as: Conflict.self, at: ["none"]) }
        error[fact: \.body] = nil
        #expect(throws: DecodingError.self) { try error.decodedBody(as: Conflict.self) }
    }
}
