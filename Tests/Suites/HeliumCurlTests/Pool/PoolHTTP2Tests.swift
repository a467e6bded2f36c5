import Testing

@testable import HeliumCurl

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
        #expect(pool.pool.pendingCount == 1)
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
