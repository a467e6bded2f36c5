import Cosm
import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// Checks the guarantee that an outbox relies on: a call that received a response is never reported as not sent.
@Suite("Delivery of Cosm's calls", .timeLimit(.minutes(5)))
struct DeliveryTests {
    /// Answers that bring nothing of what was asked for.
    private static let answers: [TransportResponse] = [
        .empty(status: 200), .empty(status: 201), .json("nonsense"), .json("7"), .json("[]"), .json(#"{"id":[]}"#),
        created("http://cosm.test/v2/"), .json(#"{"title":"No","errors":"no"}"#, status: 422), .empty(status: 302),
    ]

    @Test(
        "every failure after a response is known to have reached the server",
        arguments: CallTests.feeds + CallTests.datastreams + CallTests.accounts
    )
    func answered(test: CallTests.Case) async throws {
        var failures = 0
        for answer in Self.answers {
            let transport = MockTransport(answers: [answer])
            let cosm = try makeAPI(transport)
            guard let error = await CosmError.thrown(by: { _ = try await test.call(cosm) }) else { continue }
            failures += 1
            #expect(!transport.requests.isEmpty)
            #expect(error.delivery == .answered && error.underlying?.delivery == .answered, "\(error)")
        }
        #expect(failures > 0)
    }

    @Test("a document that cannot be decoded is an error with the call and the position")
    func undecodable() async throws {
        let cosm = try makeAPI(MockTransport(answers: [.json(#"{"id":[]}"#)]))
        let error = await CosmError.thrown { _ = try await cosm.feed(1) }
        #expect(error?.kind == .undecodable && error?.document != nil && error?.status == 200)
        #expect(error?.underlying?.request.url.contains("/feeds/1") == true)
    }
}
