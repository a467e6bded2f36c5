import Testing

@testable import HeliumCurl

@Suite("Attempts of a pool of connections")
struct PoolAttemptTests {
    @Test("a failed attempt fails the call that began it, and no other")
    func fails() {
        let pool = PoolHarness { $0.maximumPerGroup = 1 }
        #expect(pool.request() == ["open 0 for 0 over http1"])
        #expect(pool.request() == [])
        #expect(pool.fail(0) == ["fail 0", "open 1 for 1 over http1"])
        #expect(pool.fail(1) == ["fail 1"])
        #expect(pool.pool.calls.count == pool.pool.freeCalls.count)
    }

    @Test("a call that waits for its attempt takes a connection that is free before, and the attempt goes on")
    func takesFreeConnection() {
        let pool = PoolHarness()
        pool.connect()
        #expect(pool.request() == ["open 1 for 1 over http1"])
        #expect(pool.release(0) == ["reuse 0 for 1"])
        #expect(pool.open(1) == [])
        #expect(pool.request() == ["assign 1 for 2"])
    }

    @Test("calls that come as fast as before begin no more attempts than there are calls at once")
    func steady() {
        let pool = PoolHarness()
        for number in 0..<4 { _ = pool.request(); #expect(pool.connections.count == number + 1) }
        #expect(pool.open(0) == ["assign 0 for 0"])
        for call in 0..<100 {
            _ = pool.release(call)
            #expect(pool.request().allSatisfy { !$0.hasPrefix("close") })
        }
        #expect(pool.connections.count == 4)
    }

    @Test("an attempt without a call is joined by the next one, which does not fail with it")
    func joinsSpare() {
        let pool = PoolHarness()
        pool.connect()
        _ = pool.request()
        #expect(pool.release(0) == ["reuse 0 for 1"])
        #expect(pool.request() == ["join 2 1"])
        #expect(pool.fail(1) == ["wait 2", "open 2 for 2 over http1"])
    }

    @Test("an attempt without a call fails nobody, and is not kept from failing")
    func spareFails() {
        let pool = PoolHarness()
        pool.connect()
        _ = pool.request()
        _ = pool.release(0)
        #expect(pool.fail(1) == [])
        #expect(pool.release(1) == [])
        #expect(pool.pool.shared.http1.connectionCount == 1 && pool.pool.shared.http1.idle.first == 0)
    }

    @Test("an attempt without a call ends with the idle limit, unless a call joins it before")
    func spareEnds() {
        let pool = PoolHarness { $0.idleLimit = 10 * PoolHarness.second }
        pool.connect()
        _ = pool.request()
        _ = pool.release(0)
        #expect(pool.expire(at: 10 * PoolHarness.second - 1) == [])
        #expect(pool.expire(at: 10 * PoolHarness.second) == ["close 1"])
        #expect(pool.request() == ["open 2 for 2 over http1"])
        _ = pool.release(1)
        #expect(pool.request() == ["join 3 2"])
        #expect(pool.expire(at: 90 * PoolHarness.second) == [])
        #expect(pool.open(2) == ["assign 2 for 3"])
    }

    @Test("an attempt without a call makes room at the ceilings")
    func spareMakesRoom() {
        let pool = PoolHarness { $0.maximum = 2 }
        pool.connect()
        _ = pool.request()
        #expect(pool.release(0) == ["reuse 0 for 1"])
        #expect(pool.request("b") == ["close 1", "open 2 for 2 over http1"])
        let idle = PoolHarness { $0.maximumIdle = 1 }
        idle.connect()
        _ = idle.request()
        _ = idle.release(0)
        #expect(idle.release(1) == ["close 1"])
    }

    @Test("an attempt that offers HTTP/2 makes room for a call that needs HTTP/1.1")
    func spareOfOtherKind() {
        let pool = PoolHarness { $0.maximumPerGroup = 2 }
        pool.connect("a", .negotiated)
        #expect(pool.request("a", .negotiated) == ["open 1 for 1"])
        #expect(pool.release(0) == ["reuse 0 for 1"])
        #expect(pool.request("a", .http1) == ["close 1", "open 2 for 2 over http1"])
    }

    @Test("the attempt of a call that was served or ended serves the next call")
    func passesOn() {
        let pool = PoolHarness { $0.maximumPerGroup = 2 }
        pool.connect()
        #expect(pool.request() == ["open 1 for 1 over http1"])
        #expect(pool.request() == [])
        #expect(pool.request() == [])
        #expect(pool.release(0) == ["reuse 0 for 1", "join 2 1"])
        #expect(pool.cancel(2) == ["join 3 1"])
        #expect(pool.open(1) == ["assign 1 for 3"])
    }

    @Test("a failed attempt does not fail a call that joined it: it begins its own")
    func joinedAttemptFails() {
        let pool = PoolHarness()
        #expect(pool.request("a", .negotiated) == ["open 0 for 0"])
        #expect(pool.request("a", .negotiated) == [])
        #expect(pool.cancel(0) == ["join 1 0"])
        #expect(pool.fail(0) == ["wait 1", "open 1 for 1"])
        #expect(pool.fail(1) == ["fail 1"])
    }

    @Test("an attempt is closed with its only call")
    func cancelled() {
        let pool = PoolHarness()
        _ = pool.request()
        #expect(pool.cancel(0) == ["close 0"])
        #expect(pool.open(0) == [] && pool.fail(0) == [])
    }

    @Test("the call that has waited longest takes the connection that opens first")
    func firstOpened() {
        let pool = PoolHarness()
        #expect(pool.request() == ["open 0 for 0 over http1"])
        #expect(pool.request() == ["open 1 for 1 over http1"])
        #expect(pool.open(1) == ["assign 1 for 0", "join 1 0"])
        #expect(pool.fail(0) == ["wait 1", "open 2 for 1 over http1"])
        #expect(pool.open(2) == ["assign 2 for 1"])
    }

    @Test("calls that accept HTTP/2 wait for the ALPN of the first connection")
    func waitsForALPN() {
        let pool = PoolHarness()
        #expect(pool.request("a", .negotiated) == ["open 0 for 0"])
        for _ in 1..<4 { #expect(pool.request("a", .negotiated) == []) }
        #expect(pool.pool.pendingCount == 3)
        let assigned = ["assign 0 for 0", "reuse 0 for 1", "reuse 0 for 2", "reuse 0 for 3"]
        #expect(pool.open(0, .http2(streams: 100)) == assigned)
    }

    @Test("calls begin an attempt each once the peer has chosen HTTP/1.1")
    func choosesHTTP1() {
        let pool = PoolHarness()
        for _ in 0..<3 { _ = pool.request("a", .negotiated) }
        #expect(pool.open(0) == ["assign 0 for 0", "open 1 for 1", "open 2 for 2"])
        #expect(pool.request("a", .negotiated) == ["open 3 for 3"])
        // The peer has learned HTTP/2 meanwhile.
        #expect(
            pool.open(1, .http2(streams: 9)) == [
                "assign 1 for 1", "reuse 1 for 2", "close 2", "reuse 1 for 3", "close 3",
            ]
        )
    }

    @Test("calls that need HTTP/1.1 do not wait for ALPN, and take no connection with HTTP/2")
    func needsHTTP1() {
        let pool = PoolHarness { $0.maximumPerGroup = 2 }
        pool.connect("a", .negotiated, .http2(streams: 2))
        #expect(pool.request("a", .http1) == ["open 1 for 1 over http1"])
        #expect(pool.request("a", .http1) == [])
        #expect(pool.open(1) == ["assign 1 for 1"])
        // At the ceiling, the idle connection that it can't use makes room.
        #expect(pool.release(0) == ["close 0", "open 2 for 2 over http1"])
        // An idle one with HTTP/1.1 serves calls that accept HTTP/2 too.
        #expect(pool.release(1) == ["reuse 1 for 2"])
        #expect(pool.fail(2) == [] && pool.release(2) == [])
        #expect(pool.request("a", .negotiated) == ["reuse 1 for 3"])
    }

    @Test("a peer that chooses HTTP/2 though it was not offered is refused")
    func unofferedChoice() {
        let pool = PoolHarness()
        _ = pool.request("a", .http1)
        #expect(pool.open(0, .http2(streams: 5)) == ["fail 0", "close 0"])
    }
}
