import Testing

@testable import HeliumCurl

@Suite("Times of a pool of connections")
struct PoolTimeTests {
    @Test("an idle connection is closed at its limit, and not before")
    func idleLimit() {
        let pool = PoolHarness { $0.idleLimit = 10 * PoolHarness.second }
        pool.connect()
        #expect(pool.pool.nextDeadline == .max)
        pool.now = 5 * PoolHarness.second
        _ = pool.release(0)
        #expect(pool.pool.nextDeadline == 15 * PoolHarness.second)
        #expect(pool.expire(at: 15 * PoolHarness.second - 1) == [])
        #expect(pool.expire(at: 15 * PoolHarness.second) == ["close 0"])
        #expect(pool.pool.nextDeadline == .max)
    }

    @Test(
        "the peer's limit shortens the idle limit, less a second",
        arguments: [(5, 4), (100, 10), (2, 1), (11, 10), (12, 10), (18_000_000_000, 10)] as [(UInt64, UInt64)]
    )
    func peerLimit(timeout: UInt64, limit: UInt64) {
        let pool = PoolHarness { $0.idleLimit = 10 * PoolHarness.second }
        pool.connect()
        _ = pool.release(0, peerIdleLimit: timeout * PoolHarness.second)
        #expect(pool.expire(at: limit * PoolHarness.second - 1) == [])
        #expect(pool.expire(at: limit * PoolHarness.second) == ["close 0"])
    }

    @Test(
        "a connection that the peer keeps for a second at most is closed at once",
        arguments: [0, 1, PoolHarness.second]
    )
    func shortPeerLimit(timeout: UInt64) {
        let pool = PoolHarness()
        pool.connect()
        #expect(pool.release(0, peerIdleLimit: timeout) == ["close 0"])
    }

    @Test("a connection whose time is over is not used, though nobody has looked at it yet")
    func overdue() {
        let pool = PoolHarness()
        pool.connect()
        _ = pool.release(0)
        pool.now = 60 * PoolHarness.second
        #expect(pool.request() == ["close 0", "open 1 for 1 over http1"])
    }

    @Test("a connection that is busy at its idle deadline is looked at again")
    func busy() {
        let pool = PoolHarness { $0.idleLimit = 10 * PoolHarness.second }
        pool.connect()
        _ = pool.release(0)
        pool.now = 9 * PoolHarness.second
        #expect(pool.request() == ["reuse 0 for 1"])
        #expect(pool.expire(at: 12 * PoolHarness.second) == [])
        #expect(pool.release(1) == [])
        #expect(pool.expire(at: 22 * PoolHarness.second - 1) == [])
        #expect(pool.expire(at: 22 * PoolHarness.second) == ["close 0"])
    }

    @Test("a connection takes no calls after its maximum age")
    func age() {
        let pool = PoolHarness { $0.maximumAge = 30 * PoolHarness.second }
        pool.connect("a", .negotiated, .http2(streams: 9))
        #expect(pool.expire(at: 30 * PoolHarness.second - 1) == [])
        #expect(pool.request("a", .negotiated) == ["reuse 0 for 1"])
        #expect(pool.expire(at: 30 * PoolHarness.second) == [])
        #expect(pool.request("a", .negotiated) == ["open 1 for 2"])
        #expect(pool.release(0) == [])
        #expect(pool.release(1) == ["close 0"])
    }

    @Test("a connection that is released after its maximum age is closed")
    func agedRelease() {
        let pool = PoolHarness { $0.maximumAge = 30 * PoolHarness.second }
        pool.connect()
        pool.now = 30 * PoolHarness.second
        #expect(pool.request() == ["open 1 for 1 over http1"])
        #expect(pool.release(0) == ["close 0"])
        #expect(pool.expire(at: 100 * PoolHarness.second) == [])
    }

    @Test("limits without an end are none")
    func noLimits() {
        let pool = PoolHarness { $0.idleLimit = .max }
        pool.now = 7
        pool.connect()
        _ = pool.release(0)
        #expect(pool.pool.nextDeadline == .max)
        #expect(pool.expire(at: .max - 1) == [])
    }
}
