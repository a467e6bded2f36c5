import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import TestSupport
import Testing

private enum Status: String, Decodable, Sendable { case draft, published }

private struct Show: Decodable, Sendable {
    var id: Int
    var title: String?
    var created: Date?
    var status: OpenEnum<Status>?
}

/// The results of decoding the bodies in `Fixtures/odd-payloads`, in one table.
@Suite("Odd payloads")
struct OddPayloadTests {
    private static let folder = SharedDocuments.package.appendingPathComponent("Fixtures/odd-payloads")

    enum Outcome: Sendable, Equatable {
        /// The ids, titles and creation times of the shows, and the paths of what was reported.
        case shows([Int], titles: [String] = [], created: [Double] = [], findings: [String] = [])
        /// The kind, what the body is, and where it did not decode.
        case failure(FailureKind, ErrorBody?, path: String? = nil)
        /// Text.
        case text(String)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var file: String
        var status = 200
        var contentType = "application/json"
        var isText = false
        var outcome: Outcome

        var testDescription: String { "\(file) as \(status) \(contentType)" }
    }

    private static var outOfCredit: ProblemDetails {
        var problem = ProblemDetails()
        problem.type = "https://example.com/problems/out-of-credit"
        problem.title = "Out of credit"
        problem.status = 403
        problem.detail = "30 left, 50 needed"
        problem.instance = "/accounts/12345/orders/7"
        problem.extensions = ["balance": "30", "accounts": #"["/accounts/12345","/accounts/67890"]"#]
        return problem
    }

    private static let latin1 = "text/plain; charset=ISO-8859-1"
    private static let refusal = "Zugriff f\u{FC}r Ger\u{E4}t verweigert"
    private static let json = ErrorBody.other(mediaType: "application/json")

    static let table = [
        Case(file: "bom.json", outcome: .shows([1], titles: ["One"])),
        Case(file: "bom-only.json", outcome: .failure(.decodingFailed, json)),
        Case(file: "empty.json", outcome: .failure(.emptyResponse, .empty)),
        Case(file: "empty.json", status: 500, outcome: .failure(.unacceptableStatus, .empty)),
        Case(file: "null.json", outcome: .failure(.decodingFailed, json)),
        Case(file: "null-response.json", outcome: .failure(.decodingFailed, json, path: "response")),
        Case(file: "no-response.json", outcome: .failure(.emptyResponse, json)),
        Case(
            file: "login-401.html",
            status: 401,
            contentType: "text/html; charset=utf-8",
            outcome: .failure(.unacceptableStatus, .html(title: "Sign in & continue"))
        ),
        Case(
            file: "bad-gateway-502.html",
            status: 502,
            contentType: "text/html",
            outcome: .failure(.unacceptableStatus, .html(title: "502 Bad Gateway"))
        ),
        Case(
            file: "bad-gateway-502.html",
            status: 502,
            outcome: .failure(.unacceptableStatus, .html(title: "502 Bad Gateway"))
        ),
        Case(
            file: "captive-portal-200.html",
            contentType: "text/html",
            outcome: .failure(.decodingFailed, .html(title: "Welcome Accept the terms to go online."))
        ),
        Case(file: "truncated.json", outcome: .failure(.decodingFailed, json)),
        Case(
            file: "numbers-as-strings.json",
            outcome: .shows([], findings: ["response.0.id"])
        ),
        Case(
            file: "two-date-shapes.json",
            outcome: .shows(
                [1, 2, 3, 4, 5],
                created: [1_455_264_007.25, 1_455_264_007, 1_455_235_200, 1_455_264_007, 1_455_264_007.25]
            )
        ),
        Case(file: "one-bad-row.json", outcome: .shows([1, 3], findings: ["response.1.id"])),
        Case(file: "unknown-case.json", outcome: .shows([1, 2], findings: ["response.1.status"])),
        Case(
            file: "problem.json",
            status: 403,
            contentType: "application/problem+json",
            outcome: .failure(.unacceptableStatus, .problem(outOfCredit))
        ),
        Case(file: "latin-1.txt", contentType: latin1, isText: true, outcome: .text("\(refusal)\n")),
        Case(
            file: "latin-1.txt",
            contentType: "text/plain",
            isText: true,
            outcome: .failure(.decodingFailed, .other(mediaType: "text/plain"))
        ),
        Case(
            file: "latin-1.txt",
            status: 403,
            contentType: latin1,
            outcome: .failure(.unacceptableStatus, .text(refusal))
        ),
        Case(file: "latin-1.json", outcome: .shows([], findings: ["response.0"])),
        Case(file: "bom.json", contentType: "text/html", outcome: .shows([1], titles: ["One"])),
        Case(
            file: "json-as-html.json",
            status: 400,
            contentType: "text/html",
            outcome: .failure(
                .unacceptableStatus,
                .errors([ServerError(code: "MinLengthUnderachieved", id: "app.id", location: "body")])
            )
        ),
        Case(file: "deep.json", outcome: .failure(.decodingFailed, json)),
    ]

    @Test("an odd payload has the documented outcome", arguments: table)
    func outcome(_ example: Case) async throws {
        let outcome = try await outcome(of: example)
        #expect(outcome == example.outcome)
    }

    @Test("all odd payloads are in the table")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0 != "README.md" }
        #expect(Set(files) == Set(Self.table.map(\.file)))
    }

    private func outcome(of example: Case) async throws -> Outcome {
        let body = try Data(contentsOf: Self.folder.appendingPathComponent(example.file))
        let head = ResponseHead(status: example.status, fields: [.contentType: example.contentType])
        let transport = MockTransport(answers: [TransportResponse(head: head, body: .collected(body))])
        let pipeline = try makePipeline(transport) {
            $0.envelope = .middleware
            $0.decoder = FoundationJSONDecoder(dates: [.rfc3339, .epochSeconds, .epochMilliseconds])
        }
        do {
            if example.isText { return .text(try await pipeline.get("/", as: String.self).value()) }
            let paths = Guarded<[String]>([])
            let shows = try await pipeline.get("/", as: LossyArray<Show>.self)
                .reportingFindings { report in paths.withLock { $0 = report.findings.map(\.path) } }
                .value().wrappedValue
            return .shows(
                shows.map(\.id),
                titles: shows.compactMap(\.title),
                created: shows.compactMap(\.created?.timeIntervalSince1970),
                findings: paths.withLock { $0 }
            )
        } catch let error as HeliumError {
            let body = try error.head.map {
                ErrorBody(head: $0, body: try #require(error.body), serverErrors: error.serverErrors)
            }
            let path = error.decoding?.codingPath
            return .failure(error.kind, body, path: path?.isEmpty == false ? path : nil)
        }
    }
}
