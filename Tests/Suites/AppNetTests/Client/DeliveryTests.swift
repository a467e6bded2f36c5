import AppNet
import Foundation
import HeliumKit
import HeliumTesting
import Testing

/// Checks the guarantee that an outbox relies on: a call that received a response is never reported as not sent.
@Suite("Delivery of App.net's calls", .timeLimit(.minutes(5)))
struct DeliveryTests {
    /// Answers that bring nothing of what was asked for.
    private static let answers: [TransportResponse] = [
        .json(#"{"meta":{"code":200}}"#), .json(#"{"meta":{"code":200},"data":null}"#), .json("{}"), .empty(),
        .json("nonsense"), .json(#"{"meta":{"code":200},"data":7}"#), .json(#"{"meta":{"code":200},"data":[]}"#),
        .json(#"{"meta":{"code":404,"error_message":"no"}}"#), .json(#"{"meta":{"code":500}}"#, status: 500),
        .empty(status: 302),
    ]

    @Test("every failure after a response is known to have reached the service", arguments: CallCase.all)
    func answered(test: CallCase) async throws {
        var failures = 0
        for dialect in AppNetDialect.allCases where test.target(in: dialect) != nil {
            for answer in Self.answers {
                let transport = MockTransport(answers: [answer])
                let client = try makeClient(transport, dialect: dialect)
                guard let error = await AppNetError.thrown(by: { try await test.call(client) }) else { continue }
                failures += 1
                #expect(!transport.requests.isEmpty)
                #expect(error.delivery == .answered && error.hasReachedServer, "\(dialect) \(error)")
            }
        }
        #expect(failures > 0)
    }

    @Test("a call that is cut in flight may have been sent, whichever interceptors it has", arguments: CallCase.all)
    func inFlight(test: CallCase) async throws {
        let clock = TestClock()
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ throws(TransportFailure) in
            try await gate.pass()
            return .empty()
        }
        let dialect: AppNetDialect = test.target(in: .appNet) == nil ? .pnut : .appNet
        let client = try makeClient(transport, dialect: dialect, clock: clock)
        async let outcome = AppNetError.thrown { try await test.call(client) }
        await gate.waitForArrivals()
        clock.advance(by: .seconds(100_000))
        let error = await outcome
        #expect(error?.kind == .timedOut && error?.delivery == .maybeSent)
    }
}
