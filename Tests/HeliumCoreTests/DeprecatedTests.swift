import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Testing

/// The tests are deprecated too, so that the forms they use warn of nothing.
@Suite("Deprecated forms of HeliumCore")
struct DeprecatedTests {
    @available(*, deprecated)
    @Test("deprecated secrets of a command as strings are masked")
    func curlCommand() throws {
        let request = TransportRequest(method: .get, url: try RequestURL("http://h/s3cret-path"))
        let texts: [String] = ["s3cret-path"]
        let secrets: [Secret] = ["s3cret-path"]
        #expect(request.curlCommand(secrets: texts) == request.curlCommand(secrets: secrets))
        #expect(request.curlCommand(secrets: texts) != request.curlCommand())
    }

    @available(*, deprecated)
    @Test("deprecated contents without a label are sent")
    func contents() async throws {
        let transport = MockTransport(answers: [.empty()])
        let pipeline = try makePipeline(transport)
        for content in [RequestContent.json(Data("[1]".utf8)), .encoded([1])] {
            try await pipeline.call(.post, "/", content).value()
            #expect(transport.requests.last?.body == Data("[1]".utf8))
            #expect(transport.requests.last?.fields[.contentType] == "application/json")
        }
    }

    @available(*, deprecated)
    @Test("deprecated headers are the fields")
    func headers() async throws {
        let transport = MockTransport(answers: [.empty()])
        let pipeline = try makePipeline(transport)
        try await pipeline.call(.get, "/").headers(["X-A": "a"]).header(.cookie, "b").value()
        let fields = try #require(transport.requests.first?.fields)
        #expect(fields[.cookie] == "b" && fields[.init(constant: "x-a")] == "a")
    }

    @Test("an authorizer with the former review requirement is called")
    func formerReview() throws {
        let authorizer: any Authorizer = FormerAuthorizer()
        let request = TransportRequest(method: .get, url: try RequestURL("http://h/"))
        #expect(authorizer.needsReview(of: ResponseHead(status: 403, fields: [:]), to: request))
        #expect(!authorizer.needsReview(of: ResponseHead(status: 401, fields: [:]), to: request))
    }
}

private struct FormerAuthorizer: Authorizer {
    func authorize(_ request: inout TransportRequest, context: AuthorizationContext) async throws {}

    func wantsReview(of head: ResponseHead, to request: TransportRequest) -> Bool { head.status == 403 }
}
