#if HTTP2
    import Foundation
    import HTTPTypes
    import HeliumCore
    import HeliumWire
    import Testing
    import WireSupport

    @testable import HeliumCurl

    @Suite("Orders of events on connections of HTTP/2", .timeLimit(.minutes(1)))
    struct HTTP2OrderTests {
        /// Whether so many requests were written, to each connection at most two of them.
        private static func areInPairs(_ count: Int, _ driver: ScriptedDriver) -> Bool {
            let counts = driver.lines.map { HTTP2Script.requestCount($0.written) }
            return counts.reduce(0, +) == count && counts.allSatisfy { $0 <= 2 }
        }

        @Test("calls above the limit on streams that arrives with the connection go to other connections")
        func limitAtBegin() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try HTTP2Script.posts(5, loop)
            let open: (Int) -> Void = { index in
                if driver.lines.indices.contains(index) { driver.lines[index].input = HTTP2Script.settings(streams: 2) }
                driver.open(index)
            }
            driver.steps = [
                {}, { open(0) }, { (1...4).forEach(open) }, { (1...4).forEach(open) }, {}, { loop.abandon() },
            ]
            slots[0].worker.run()
            #expect(Self.areInPairs(5, driver), "\(driver.lines.map { HTTP2Script.requestCount($0.written) })")
        }

        @Test("a server that requires HTTP/1.1 of a call that wants HTTP/2 without ALPN gets it once")
        func requiresHTTP1() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let post = try HTTP2Script.posts(1, loop)[0]
            let open: (Int) -> Void = { index in
                guard driver.lines.indices.contains(index) else { return }
                let refusal = HTTP2Peer.frame(3, stream: 1, payload: [0, 0, 0, 13])
                driver.lines[index].input = HTTP2Script.settings(streams: 100) + refusal
                driver.answer(index, "")
            }
            driver.steps = [{}, { driver.open(0) }, { open(0) }, { driver.open(1) }, { open(1) }, { loop.abandon() }]
            post.worker.run()
            #expect(post.failure?.kind == .connectionLost && post.delivery == .notSent)
            #expect(post.failure?.message == "the server requires HTTP/1.1")
            #expect(driver.lines.count == 1 && HTTP2Script.requestCount(driver.lines[0].written) == 1)
        }

        @Test("calls above a small limit on streams are not used up while they wait", arguments: [40])
        func limitOfMany(count: Int) throws {
            let driver = ScriptedDriver()
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = count
            let loop = TransferLoop(configuration: configuration, driver: driver)
            let slots = try HTTP2Script.posts(count, loop)
            var opened = 0
            let open = {
                while opened < driver.lines.count {
                    driver.lines[opened].input = HTTP2Script.settings(streams: 2)
                    driver.open(opened)
                    opened += 1
                }
            }
            driver.steps = [{}] + [() -> Void](repeating: open, count: count) + [{ loop.abandon() }]
            slots[0].worker.run()
            #expect(Self.areInPairs(count, driver), "\(driver.lines.map { HTTP2Script.requestCount($0.written) })")
        }

        @Test("a connection that refuses what exceeds its new limit on streams stays in use")
        func limitAfterRequests() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try HTTP2Script.posts(3, loop)
            var isClosed = true
            driver.steps = [
                {},
                { driver.open(0) },
                {
                    let refusal = HTTP2Peer.frame(3, stream: 5, payload: [0, 0, 0, 7])
                    driver.lines[0].input = HTTP2Script.settings(streams: 2) + refusal
                    driver.answer(0, "")
                },
                {
                    driver.lines[0].input = [1, 3].flatMap { HTTP2Peer.head($0, status: 200, isLast: true) }
                    driver.answer(0, "")
                },
                {},
                {
                    isClosed = driver.lines[0].isClosed
                    loop.abandon()
                },
            ]
            slots[0].worker.run()
            #expect(slots[0].isComplete && slots[1].isComplete)
            #expect(!isClosed && HTTP2Script.requestCount(driver.lines[0].written) == 4)
        }

        @Test(
            "a cancelled call of HTTP/2 is sent if its bytes wait for the system, and not if it waits for other bytes",
            arguments: [0, 3],
            [false, true]
        )
        func waitingBytes(acceptedCount: Int, isBehind: Bool) throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try (0..<3).map { _ in
                try loop.call(.post) { $0.version = .http2PriorKnowledge }
            }
            let cancelled = slots[isBehind ? 2 : 1]
            loop.submit(slots[0])
            driver.steps = [
                {},
                { driver.open(0) },
                {
                    driver.lines[0].room = 0
                    loop.submit(slots[1])
                },
                { loop.submit(slots[2]) },
                // Nothing or a part of the second call's bytes is accepted while the third one waits.
                { driver.makeRoom(acceptedCount, 0) },
                { loop.cancel(cancelled, cancelled.generation) },
                { driver.makeRoom(.max, 0) },
                {},
                { loop.abandon() },
            ]
            slots[0].worker.run()
            #expect(cancelled.failure?.kind == .cancelled)
            #expect(cancelled.delivery == (isBehind ? .notSent : .maybeSent))
            #expect(HTTP2Script.requestCount(driver.lines[0].written) == (isBehind ? 2 : 3))
        }
    }
#endif
