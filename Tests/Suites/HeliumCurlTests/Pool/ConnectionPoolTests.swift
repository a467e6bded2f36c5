import Testing

@testable import HeliumCurl

@Suite("Pool of connections")
struct ConnectionPoolTests {
    @Test("a call opens a connection, the next one reuses it")
    func reuses() {
        let pool = PoolHarness()
        #expect(pool.request() == ["open 0 for 0 over http1"])
        #expect(pool.open(0) == ["assign 0 for 0"])
        #expect(pool.release(0) == [])
        #expect(pool.request() == ["reuse 0 for 1"])
        #expect(pool.release(1, isReusable: false) == ["close 0"])
        #expect(pool.request() == ["open 1 for 2 over http1"])
        #expect(pool.pool.openedCount == 2 && pool.pool.reusedCount == 1)
    }

    @Test("the newest idle connection is used first")
    func newestFirst() {
        let pool = PoolHarness()
        for _ in 0..<3 { pool.connect() }
        for call in [1, 0, 2] { #expect(pool.release(call) == []) }
        #expect(pool.request() == ["reuse 2 for 3"])
        #expect(pool.request() == ["reuse 0 for 4"])
        #expect(pool.request() == ["reuse 1 for 5"])
    }

    @Test("calls beyond the ceiling of a group wait, and are served in order")
    func groupCeiling() {
        let pool = PoolHarness { $0.maximumPerGroup = 1 }
        pool.connect()
        for _ in 0..<3 { #expect(pool.request() == []) }
        #expect(pool.pool.pendingCount == 3)
        // Another group is not concerned.
        #expect(pool.request("b") == ["open 1 for 4 over http1"])
        #expect(pool.release(0) == ["reuse 0 for 1"])
        #expect(pool.cancel(2) == [])
        #expect(pool.release(1) == ["reuse 0 for 3"])
        #expect(pool.release(3, isReusable: false) == ["close 0"])
        #expect(pool.pool.pendingCount == 0)
    }

    @Test("ceilings below 1 count as 1")
    func smallCeilings() {
        let pool = PoolHarness {
            $0.maximumPerGroup = 0
            $0.maximum = -1
        }
        pool.connect()
        #expect(pool.request() == [])
        #expect(pool.release(0) == ["reuse 0 for 1"])
    }

    @Test("at the ceiling of all, the connection that is idle longest makes room for another group")
    func closesIdle() {
        let pool = PoolHarness { $0.maximum = 2 }
        pool.connect("a")
        pool.connect("b")
        #expect(pool.release(1) == [])
        #expect(pool.release(0) == [])
        #expect(pool.request("c") == ["close 1", "open 2 for 2 over http1"])
        #expect(pool.request("a") == ["reuse 0 for 3"])
    }

    @Test("at the ceiling of all, calls are served first come first served over the groups")
    func fairness() {
        let pool = PoolHarness { $0.maximum = 1 }
        pool.connect("a")
        #expect(pool.request("a") == [])
        #expect(pool.request("b") == [])
        #expect(pool.request("a") == [])
        #expect(pool.release(0) == ["reuse 0 for 1"])
        #expect(pool.release(1) == ["close 0", "open 1 for 2 over http1"])
        #expect(pool.open(1) == ["assign 1 for 2"])
        #expect(pool.release(2) == ["close 1", "open 2 for 3 over http1"])
    }

    @Test("connections by prior knowledge are counted apart")
    func kinds() {
        let pool = PoolHarness { $0.maximum = 1 }
        pool.connect("a")
        #expect(pool.request("clear", .priorKnowledge) == ["open 1 for 1"])
        #expect(pool.request("clear 2", .priorKnowledge) == [])
        #expect(pool.open(1, .http2(streams: 1)) == ["assign 1 for 1"])
        // The place that is free is not of their kind.
        #expect(pool.lose(0) == [])
        #expect(pool.release(1) == ["close 1", "open 2 for 2"])
    }

    @Test("more than the allowed number of idle connections are closed, the oldest first")
    func idleCeiling() {
        let pool = PoolHarness { $0.maximumIdle = 2 }
        for _ in 0..<3 { pool.connect() }
        #expect(pool.release(1) == [])
        #expect(pool.release(0) == [])
        #expect(pool.release(2) == ["close 1"])
        let none = PoolHarness { $0.maximumIdle = 0 }
        none.connect()
        #expect(none.release(0) == ["close 0"])
    }

    @Test("statistics count busy and idle connections by group")
    func statistics() {
        let pool = PoolHarness()
        pool.connect("a")
        pool.connect("a")
        _ = pool.request("b")
        _ = pool.release(0)
        var counts: [String: ConnectionPool<String>.GroupConnections] = [:]
        pool.pool.forEachGroup { counts[$0] = $1 }
        #expect(counts == ["a": .init(busy: 1, idle: 1), "b": .init(busy: 1, idle: 0)])
    }

    @Test("groups without calls and connections are remembered up to a number")
    func remembersGroups() {
        let pool = PoolHarness { $0.maximumUnusedGroups = 2 }
        for number in 0..<100 {
            pool.connect("\(number)", .negotiated)
            #expect(pool.release(number, isReusable: false) == ["close \(number)"])
        }
        #expect(pool.pool.groupIndices.keys.sorted() == ["98", "99"] && pool.pool.groups.count <= 3)
        // The choice of HTTP/1.1 is still known, so the calls do not wait for each other.
        #expect(pool.request("99", .negotiated) == ["open 100 for 100"])
        #expect(pool.request("99", .negotiated) == ["open 101 for 101"])
        #expect(pool.request("0", .negotiated) == ["open 102 for 102"])
        #expect(pool.request("0", .negotiated) == [])
    }

    @Test("the idle connections of a group that are not trusted any more are closed, and no others")
    func closesDistrusted() {
        let pool = PoolHarness()
        for group in ["a", "a", "a", "b"] { pool.connect(group) }
        for call in [0, 2, 3] { _ = pool.release(call) }
        #expect(pool.distrust("c") == [])
        #expect(pool.distrust("a") == ["close 0", "close 2"])
        #expect(pool.distrust("a") == [])
        // The busy one is used again, and so is that of the other group.
        #expect(pool.release(1) == [])
        #expect(pool.request("a") == ["reuse 1 for 4"])
        #expect(pool.request("b") == ["reuse 3 for 5"])
    }

    @Test("an idle connection with HTTP/2, which is asked by a PING, is not closed with those of HTTP/1.1")
    func keepsIdleHTTP2() {
        let pool = PoolHarness()
        pool.connect("a", .negotiated, .http2(streams: 9))
        pool.connect("a")
        _ = pool.release(0)
        _ = pool.release(1)
        #expect(pool.distrust("a") == ["close 1"])
        #expect(pool.request("a", .negotiated) == ["reuse 0 for 2"])
    }

    @Test("the places of closed idle connections are free for all calls")
    func givesPlacesBack() {
        let pool = PoolHarness { $0.maximum = 2 }
        pool.connect("a")
        pool.connect("a")
        _ = pool.release(0)
        _ = pool.release(1)
        #expect(pool.distrust("a") == ["close 0", "close 1"])
        #expect(pool.pool.nextDeadline == .max)
        #expect(pool.request("b") == ["open 2 for 2 over http1"])
        #expect(pool.request("c") == ["open 3 for 3 over http1"])
    }

    @Test("a handle of what has ended has no effect, though its index is used again")
    func staleHandles() {
        let pool = PoolHarness()
        pool.connect()
        _ = pool.release(0, isReusable: false)
        pool.connect()
        #expect(pool.calls[0].index == pool.calls[1].index)
        #expect(pool.release(0) == [] && pool.cancel(0) == [] && pool.resend(0) == [])
        #expect(pool.open(0) == [] && pool.lose(0) == [] && pool.sendAway(0) == [] && pool.fail(0) == [])
        #expect(pool.release(1) == [])
        #expect(pool.request() == ["reuse 1 for 2"])
    }
}
