import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Static access keys", .timeLimit(.minutes(5)))
struct StaticKeyTests {
    private static let key = "0123456789abcdef0123456789abcdef"

    private func answers(
        _ change: (inout StaticAccessKey) -> Void,
        count: Int = 1
    ) async throws -> [RawAnswer] {
        var configuration = EmbeddedServerConfiguration()
        var key = StaticAccessKey(Self.key)
        change(&key)
        configuration.middleware.staticKeys = [key]
        return try await withEmbeddedServer(configuration) { running in
            var answers: [RawAnswer] = []
            for _ in 0..<count {
                answers.append(
                    try await Peer(running: running).send("GET", "/demo-auth/v1/todo", fields: [("key", Self.key)])
                )
            }
            return answers
        }
    }

    @Test("a known static key opens the routes, and the response has the time")
    func opens() async throws {
        let answer = try #require(try await answers { _ in }.first)
        #expect(answer.status == 200)
        #expect(answer["timestamp"] != nil)
    }

    @Test("the state, groups, addresses and limit of a static key are checked in this order")
    func refuses() async throws {
        let codes = [
            try await answers {
                $0.isActive = false
                $0.groups = ["other"]
            },
            try await answers {
                $0.groups = ["other"]
                $0.allowedAddresses = []
            },
            try await answers { $0.allowedAddresses = ["10.0.0.0/8", "::/0"] },
            try await answers { $0.blockedAddresses = ["127.0.0.0/8"] },
        ].map { $0.first?.codes ?? [] }
        #expect(codes == [["TemporaryDisabled"], ["KeyInvalidForGroup"], ["IPNotAllowed"], ["IPNotAllowed"]])
        let limited = try await answers({ $0.rateLimit = MiddlewareRateLimit(requests: 2, minutes: 60) }, count: 3)
        #expect(limited.map(\.status) == [200, 200, 429])
        #expect(limited.last?.codes == ["RateLimitExceededForKey"])
    }

    @Test(
        "an address block contains the addresses with its prefix",
        arguments: [
            ("127.0.0.1", "127.0.0.1/32", true), ("127.0.0.2", "127.0.0.1", false), ("10.1.2.3", "10.0.0.0/8", true),
            ("11.1.2.3", "10.0.0.0/8", false), ("1.2.3.4", "0.0.0.0/0", true), ("::1", "::1/128", true),
            ("::1", "0.0.0.0/0", false), ("::ffff:10.0.0.1", "10.0.0.0/8", true),
            ("2001:db8::1", "2001:db8::/33", true),
            ("2001:db8:8000::1", "2001:db8::/33", false), ("x", "0.0.0.0/0", false), ("1.2.3.4", "1.2.3.4/33", false),
            ("1.2.3.4", "nonsense", false),
        ]
    )
    func blocks(_ address: String, _ block: String, _ expected: Bool) {
        #expect(AddressBlock.contains(address, in: [block]) == expected)
    }
}
