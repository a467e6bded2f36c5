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

    @Test("a call that waits for its attempt takes a connection that is free before, and the attempt is closed")
    func takesFreeConnection() {
        let pool = PoolHarness()
        pool.connect()
        #expect(pool.request() == ["open 1 for 1 over http1"])
        #expect(pool.release(0) == ["reuse 0 for 1", "close 1"])
        #expect(pool.open(1) == [])
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
        #expect(pool.pool.waitingCount == 3)
        let assigned = (0..<4).map { "assign 0 for \($0)".replacing("assign 0 for", with: $0 == 0 ? "assign 0 for" : "reuse 0 for") }
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
            pool.open(1, .http2(streams: 9)) == ["assign 1 for 1", "reuse 1 for 2", "close 2", "reuse 1 for 3", "close 3"]
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
        #expect(pool.release(1) == ["reuse 1 for 2", "close 2"])
        #expect(pool.release(2) == [])
        #expect(pool.request("a", .negotiated) == ["reuse 1 for 3"])
    }

    @Test("a peer that chooses HTTP/2 though it was not offered is refused")
    func unofferedChoice() {
        let pool = PoolHarness()
        _ = pool.request("a", .http1)
        #expect(pool.open(0, .http2(streams: 5)) == ["fail 0", "close 0"])
    }
}

@Suite("HTTP/2 in a pool of connections")
struct PoolHTTP2Tests {
    /// A pool with one connection, and a call on it.
    private func connected(streams: Int, perGroup: Int = 8) -> PoolHarness {
        let pool = PoolHarness { $0.maximumPerGroup = perGroup }
        pool.connect("a", .priorKnowledge, .http2(streams: streams))
        return pool
    }

    @Test("a connection is shared up to the peer's number of streams, then one more is opened")
    func shares() {
        let pool = connected(streams: 2)
        #expect(pool.request("a", .priorKnowledge) == ["reuse 0 for 1"])
        #expect(pool.request("a", .priorKnowledge) == ["open 1 for 2"])
        #expect(pool.request("a", .priorKnowledge) == [])
        #expect(pool.release(0) == ["reuse 0 for 2", "join 3 1"])
        #expect(pool.open(1, .http2(streams: 2)) == ["assign 1 for 3"])
    }

    @Test("more streams serve waiting calls, fewer streams end none")
    func changesStreams() {
        let pool = connected(streams: 1, perGroup: 1)
        for _ in 1..<4 { #expect(pool.request("a", .priorKnowledge) == []) }
        #expect(pool.setStreams(0, 3) == ["reuse 0 for 1", "reuse 0 for 2"])
        #expect(pool.setStreams(0, 1) == [])
        #expect(pool.release(0) == [] && pool.release(1) == [])
        #expect(pool.release(2) == ["reuse 0 for 3"])
    }

    @Test("a peer that allows no stream for now is not asked for more connections")
    func noStreams() {
        let pool = connected(streams: 0)
        #expect(pool.pool.waitingCount == 1)
        #expect(pool.request("a", .priorKnowledge) == [])
        #expect(pool.setStreams(0, 2) == ["assign 0 for 0", "reuse 0 for 1"])
        #expect(pool.setStreams(0, 0) == [])
        #expect(pool.request("a", .priorKnowledge) == [])
        #expect(pool.lose(0) == ["open 1 for 2"])
        let other = connected(streams: 0)
        #expect(other.expire(at: 60 * PoolHarness.second) == ["close 0", "open 1 for 0"])
    }

    @Test("a connection that goes away keeps its calls, takes no others, and is closed after the last")
    func goesAway() {
        let pool = connected(streams: 9, perGroup: 1)
        #expect(pool.request("a", .priorKnowledge) == ["reuse 0 for 1"])
        #expect(pool.sendAway(0) == [])
        #expect(pool.request("a", .priorKnowledge) == [])
        #expect(pool.release(0) == [])
        #expect(pool.release(1) == ["close 0", "open 1 for 2"])
        let idle = connected(streams: 9)
        _ = idle.release(0)
        #expect(idle.sendAway(0) == ["close 0"])
    }

    @Test("calls of a lost connection are resent before all others, in order")
    func resendsFirst() {
        let pool = connected(streams: 3, perGroup: 1)
        for _ in 1..<5 { _ = pool.request("a", .priorKnowledge) }
        #expect(pool.lose(0) == ["open 1 for 3"])
        for call in 0..<3 { #expect(pool.resend(call) == []) }
        #expect(
            pool.open(1, .http2(streams: 9)) == [
                "assign 1 for 0", "reuse 1 for 1", "reuse 1 for 2", "reuse 1 for 3", "reuse 1 for 4",
            ]
        )
    }

    @Test("a call that has to be sent over HTTP/1.1 is, and a refused one may get the same connection")
    func resends() {
        let pool = PoolHarness()
        pool.connect("a", .negotiated, .http2(streams: 2))
        #expect(pool.resend(0) == ["reuse 0 for 0"])
        #expect(pool.resend(0, overHTTP1: true) == ["open 1 for 0 over http1"])
        #expect(pool.open(1) == ["assign 1 for 0"])
        // A connection with HTTP/1.1 that a call leaves before its end is of no use.
        #expect(pool.resend(0) == ["close 1", "open 2 for 0 over http1"])
    }

    @Test("calls of a lost connection can end later")
    func endsLater() {
        let pool = connected(streams: 3)
        _ = pool.request("a", .priorKnowledge)
        #expect(pool.lose(0) == [])
        #expect(pool.release(0, isReusable: false) == [] && pool.cancel(1) == [])
        #expect(pool.pool.freeCalls.count == 2 && pool.pool.unused.count == 1)
    }

    @Test("a cancelled call leaves the connection to the others")
    func cancels() {
        let pool = connected(streams: 2)
        _ = pool.request("a", .priorKnowledge)
        #expect(pool.cancel(0) == [])
        #expect(pool.request("a", .priorKnowledge) == ["reuse 0 for 2"])
        let http1 = PoolHarness()
        http1.connect()
        #expect(http1.cancel(0) == ["close 0"])
    }
}
