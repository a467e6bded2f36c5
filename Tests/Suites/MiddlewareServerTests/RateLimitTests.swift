import HeliumServer
import HeliumServerTesting
import ServerSupport
import Synchronization
import Testing

@testable import HeliumServerKit
@testable import MiddlewareServer

@Suite("Rate limits of the middleware server", .timeLimit(.minutes(5)))
struct RateLimitTests {
    private func limits(_ answer: RawAnswer) -> [String?] {
        ["x-rate-limit-limit", "x-rate-limit-remaining", "x-rate-limit-reset"].map { answer[$0] }
    }

    @Test("every response counts down the rate limit, one request more is 429, and a new window starts")
    func countsDown() async throws {
        // 12 seconds into a window of two minutes.
        let now = Mutex<Int64>(1_455_264_012_000)
        var configuration = EmbeddedServerConfiguration()
        configuration.middleware.rateLimit = MiddlewareRateLimit(requests: 2, minutes: 2)
        configuration.middleware.clock = ServerClock { now.withLock { $0 } }
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            let target = "/demo-auth/v1/todo"
            let first = try await peer.send("GET", target)
            #expect(first.status == 400)
            #expect(limits(first) == ["2", "1", "108"])
            // By the reference's bug, lists share one counter.
            let second = try await peer.send("GET", "/demo-auth/v1/services")
            #expect(second.status == 200)
            #expect(limits(second) == ["2", "0", "108"])
            let third = try await peer.send("GET", target)
            #expect(third.status == 429)
            #expect(third.codes == ["RateLimitExceeded"])
            #expect(limits(third) == ["2", "0", "108"])
            #expect(third["retry-after"] == nil)
            #expect(third["timestamp"] == nil)
            let other = try await peer.send("POST", target)
            #expect(limits(other) == ["2", "1", "108"])
            now.withLock { $0 += 108_000 }
            #expect(try await limits(peer.send("GET", target)) == ["2", "1", "120"])
        }
    }

    @Test("requests without a route, and those that cannot be parsed, do not count against the rate limit")
    func notCounted() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.middleware.rateLimit = MiddlewareRateLimit(requests: 1, minutes: 1)
        try await withEmbeddedServer(configuration) { running in
            let peer = Peer(running: running)
            for _ in 0..<3 {
                let noRoute = try await peer.send("GET", "/nowhere")
                #expect(limits(noRoute) == [nil, nil, nil])
                let noJSON = try await peer.post("/demo-auth/v1/devices", "x")
                #expect(limits(noJSON) == [nil, nil, nil])
            }
            #expect(try await peer.post("/demo-auth/v1/devices", "{}").status == 200)
        }
    }

    @Test("the number of addresses whose requests are counted is limited")
    func bounded() {
        let limiter = RateLimiter()
        let limit = MiddlewareRateLimit(requests: 5, minutes: 1)
        for number in 0..<(RateLimiter.maximumEntries + 10) {
            #expect(limiter.count("\(number)", limit: limit, now: 0).remaining == 4)
        }
        #expect(limiter.count("\(RateLimiter.maximumEntries + 9)", limit: limit, now: 0).remaining == 3)
    }
}
