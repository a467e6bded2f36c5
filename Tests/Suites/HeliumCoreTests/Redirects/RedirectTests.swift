import Foundation
import HTTPTypes
import HeliumTesting
import Testing

@testable import HeliumCore

@Suite("Redirects", .timeLimit(.minutes(5)))
struct RedirectTests {
    private static func moved(_ status: Int = 302, to location: String) -> TransportResponse {
        .empty(status: status, fields: [.location: location])
    }

    private func pipeline(_ transport: MockTransport, _ policy: RedirectPolicy) throws -> Pipeline {
        let authorizer = try FieldAuthorizer(name: .authorization, secret: "t0ken-of-home")
        return try makePipeline(transport, authorizer: authorizer) { $0.redirects = policy }
    }

    @Test("requests after redirects are authorized on the own origin only")
    func authorization() async throws {
        let transport = MockTransport(answers: [
            Self.moved(to: "/b"), Self.moved(to: "https://elsewhere.example/c"),
            Self.moved(to: "https://api.example.com/d"), .json("1"),
        ])
        let call = try pipeline(transport, .follow(limit: 5)).get("/a", as: Int.self).field(.cookie, "c")
        let response = try await call.response()
        #expect(response.value == 1 && response.url.absoluteString == "https://api.example.com/d")
        #expect(
            transport.requests.map(\.url.absoluteString) == [
                "https://api.example.com/a", "https://api.example.com/b", "https://elsewhere.example/c",
                "https://api.example.com/d",
            ]
        )
        #expect(transport.requests.map { $0.fields[.authorization] != nil } == [true, true, false, true])
        #expect(transport.requests.map { $0.fields[.cookie] != nil } == [true, true, false, false])
        #expect(response.attempts.map(\.retryReason) == [.redirected, .redirected, .redirected, nil])
    }

    @Test("too many redirects, and one to another origin, are typed errors without secrets")
    func refusals() async throws {
        let loop = MockTransport(answers: [Self.moved(to: "/again")])
        let tooMany = try await failure(of: { try await pipeline(loop, .sameOrigin(limit: 4)).call(.get, "/").value() })
        #expect(tooMany.kind == .ceilingExceeded && tooMany.ceiling == .redirects && tooMany.status == 302)
        #expect(loop.requests.count == 5)

        let away = MockTransport(answers: [Self.moved(to: "https://elsewhere.example/?token=s3cret")])
        let refused = try await failure(of: { try await pipeline(away, .sameOrigin()).call(.get, "/").value() })
        #expect(refused.kind == .redirectRefused && refused.message.contains("elsewhere.example"))
        #expect(!refused.description.contains("s3cret") && away.requests.count == 1)
    }

    @Test("a redirect is an ordinary response if redirects are disabled")
    func never() async throws {
        let transport = MockTransport(answers: [Self.moved(to: "/b")])
        let pipeline = try pipeline(transport, .never)
        let error = try await failure(of: { try await pipeline.call(.get, "/").value() })
        #expect(error.kind == .unacceptableStatus && error.status == 302)
        let response = try await pipeline.call(.get, "/").acceptableStatusCodes(200..<400).response()
        #expect(response[.location] == "/b")
    }

    @Test("a redirect is not an attempt, and its request is retried")
    func retries() async throws {
        let transport = MockTransport(answers: [
            Self.moved(to: "/b"), .empty(status: 503), Self.moved(to: "/c"), .empty(status: 503), .json("2"),
        ])
        let pipeline = try makePipeline(transport, clock: SystemClock()) { $0.retry = .quick }
        let response = try await pipeline.get("/a", as: Int.self).response()
        #expect(response.value == 2 && response.attempts.count == 5)
        #expect(transport.requests.map(\.url.target) == ["/a", "/b", "/b", "/c", "/c"])
    }
}
