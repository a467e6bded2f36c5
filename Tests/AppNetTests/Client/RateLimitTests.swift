import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@Suite("Rate limits of App.net", .timeLimit(.minutes(5)))
struct RateLimitTests {
    private func client(_ answers: [TransportResponse], _ clock: TestClock, _ dialect: AppNetDialect = .appNet) throws
        -> (
            AppNetClient, MockTransport
        )
    {
        let transport = MockTransport(answers: answers)
        let client = try makeClient(transport, dialect: dialect, clock: clock) {
            $0.options.retry.baseDelay = .zero
            // A call's time limit sleeps on the clock too.
            $0.options.timeouts.total = nil
        }
        return (client, transport)
    }

    private static let wait: HTTPFields = [.retryAfter: "7"]

    @Test("what is left is read from each answer's fields, refusals included")
    func fields() async throws {
        let fields: HTTPFields = [
            .named("X-RateLimit-Limit"): "5000", .named("X-RateLimit-Remaining"): "4999",
            .named("X-RateLimit-Reset"): "3600",
        ]
        let transport = MockTransport(answers: [
            answer("{}", fields: fields), answer("{}"), refusal(429, fields: Self.wait),
        ])
        let client = try makeClient(transport)
        #expect(client.rateLimit == nil)
        _ = try await client.users.get(1)
        let expected = RateLimit(limit: 5000, remaining: 4999, reset: .seconds(3600))
        #expect(client.rateLimit == expected)
        _ = try await client.users.get(1)
        #expect(client.rateLimit == expected, "answers without the fields leave it")
        let error = try #require(await AppNetError.thrown { _ = try await client.users.get(1) })
        #expect(error.kind == .rateLimited && error.rateLimit?.retryAfter == .seconds(7))
        let page = MockTransport(answers: [answer("[]", fields: fields)])
        #expect(try await makeClient(page).posts.globalStream().page().rateLimit == expected)
    }

    @Test("fields that are no numbers tell nothing", arguments: ["", "-1", "x", "99999999999999999999", "1.5"])
    func oddFields(value: String) async throws {
        let transport = MockTransport(answers: [answer("{}", fields: [.named("X-RateLimit-Reset"): value])])
        let client = try makeClient(transport)
        _ = try await client.users.get(1)
        #expect(client.rateLimit == nil)
    }

    @Test("a refused call is made again after the pause, one that must not be done twice too")
    func again() async throws {
        for isWrite in [false, true] {
            let clock = TestClock(skippingSleepsUpTo: .seconds(10))
            let (client, transport) = try client(
                [refusal(429, fields: Self.wait), refusal(429, fields: Self.wait), answer("{}")],
                clock
            )
            if isWrite {
                _ = try await client.posts.create(Post(text: "x"))
            } else {
                _ = try await client.users.get(1)
            }
            #expect(transport.requests.count == 3 && clock.requestedSleeps == [.seconds(7), .seconds(7)])
        }
    }

    @Test("pnut.io's wait stands in the body")
    func pnut() async throws {
        for isWrite in [false, true] {
            let clock = TestClock(skippingSleepsUpTo: .seconds(10))
            let (client, transport) = try client([refusal(429, #""retry_in":9"#), answer("{}")], clock, .pnut)
            if isWrite {
                _ = try await client.posts.create(Post(text: "x"))
            } else {
                _ = try await client.users.get(1)
            }
            #expect(transport.requests.count == 2 && clock.requestedSleeps == [.seconds(9)])
        }
    }

    @Test("a wait that is too long, or said nowhere, is not waited for by writes")
    func tooLong() async throws {
        for answer in [refusal(429, fields: [.retryAfter: "301"]), refusal(429), refusal(429, #""retry_in":600"#)] {
            let clock = TestClock(skippingSleepsUpTo: .seconds(10))
            let (client, transport) = try client([answer], clock)
            let error = try #require(await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) })
            #expect(error.kind == .rateLimited && transport.requests.count == 1 && clock.requestedSleeps.isEmpty)
        }
    }

    @Test("a wait beyond the call's time limit is not waited for")
    func deadline() async throws {
        let clock = TestClock()
        let (client, transport) = try client([refusal(429, fields: Self.wait)], clock)
        let limited = client.limited(to: .seconds(5))
        let error = try #require(await AppNetError.thrown { _ = try await limited.posts.create(Post(text: "x")) })
        #expect(error.kind == .rateLimited && transport.requests.count == 1)
    }

    @Test("a client that never tries again does not after a refusal for its rate")
    func never() async throws {
        let transport = MockTransport(answers: [refusal(429, fields: Self.wait)])
        let client = try makeClient(transport)
        _ = await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) }
        #expect(transport.requests.count == 1)
    }

    @Test("other failures of writes are not tried again")
    func writes() async throws {
        let clock = TestClock(skippingSleepsUpTo: .seconds(10))
        let (client, transport) = try client([refusal(503, fields: Self.wait), answer("{}")], clock)
        let error = try #require(await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) })
        #expect(error.kind == .serverFailed && transport.requests.count == 1)
    }
}
