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

    @Test("the rate limit is read from the header fields of each response, also of errors")
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

    @Test(
        "header fields of a rate limit that are no numbers are ignored",
        arguments: ["", "-1", "x", "99999999999999999999", "1.5"]
    )
    func oddFields(value: String) async throws {
        let transport = MockTransport(answers: [answer("{}", fields: [.named("X-RateLimit-Reset"): value])])
        let client = try makeClient(transport)
        _ = try await client.users.get(1)
        #expect(client.rateLimit == nil)
    }

    @Test("a call over the rate limit is sent again after the delay, also one that is not idempotent")
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

    @Test(
        "the jitter after a requested delay never shortens it, whatever the policy's delay is",
        arguments: [
            Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(Int64.max), .seconds(Int64.min),
            .seconds(-40),
        ]
    )
    func jitter(delay: Duration) async throws {
        let clock = TestClock(skippingSleepsUpTo: .seconds(Int64.max))
        let transport = MockTransport(answers: [refusal(429, fields: Self.wait), answer("{}")])
        let client = try makeClient(transport, clock: clock) {
            $0.options.retry.baseDelay = delay
            $0.options.timeouts.total = nil
        }
        _ = try await client.posts.create(Post(text: "x"))
        let slept = try #require(clock.requestedSleeps.first)
        #expect(transport.requests.count == 2 && slept >= .seconds(7) && slept <= .seconds(1 << 32))
    }

    @Test("the delay of pnut.io's rate limit is read from the body")
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

    @Test("a write is not sent again if the delay is too long or missing")
    func tooLong() async throws {
        for answer in [refusal(429, fields: [.retryAfter: "301"]), refusal(429), refusal(429, #""retry_in":600"#)] {
            let clock = TestClock(skippingSleepsUpTo: .seconds(10))
            let (client, transport) = try client([answer], clock)
            let error = try #require(await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) })
            #expect(error.kind == .rateLimited && transport.requests.count == 1 && clock.requestedSleeps.isEmpty)
        }
    }

    @Test("a call is not sent again if the delay exceeds its time limit")
    func deadline() async throws {
        let clock = TestClock()
        let (client, transport) = try client([refusal(429, fields: Self.wait)], clock)
        let limited = client.limited(to: .seconds(5))
        let error = try #require(await AppNetError.thrown { _ = try await limited.posts.create(Post(text: "x")) })
        #expect(error.kind == .rateLimited && transport.requests.count == 1)
    }

    @Test("a client without retries does not retry a call over the rate limit")
    func never() async throws {
        let transport = MockTransport(answers: [refusal(429, fields: Self.wait)])
        let client = try makeClient(transport)
        _ = await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) }
        #expect(transport.requests.count == 1)
    }

    @Test("a write is not retried after other errors")
    func writes() async throws {
        let clock = TestClock(skippingSleepsUpTo: .seconds(10))
        let (client, transport) = try client([refusal(503, fields: Self.wait), answer("{}")], clock)
        let error = try #require(await AppNetError.thrown { _ = try await client.posts.create(Post(text: "x")) })
        #expect(error.kind == .serverFailed && transport.requests.count == 1)
    }
}
