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
        /// The number of requests in what was written to a connection of HTTP/2.
        private static func requestCount(_ bytes: [UInt8]) -> Int { frameCount(1, bytes) }

        /// The number of frames of a type in what was written to a connection of HTTP/2 (RFC 9113 §4.1).
        private static func frameCount(_ type: UInt8, _ bytes: [UInt8]) -> Int {
            var rest = bytes.dropFirst("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
            var count = 0
            while rest.count >= 9 {
                let head = Array(rest.prefix(9))
                if head[3] == type { count += 1 }
                rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
            }
            return count
        }

        /// SETTINGS with a number of streams (RFC 9113 §6.5.2).
        private static func settings(streams: UInt8) -> [UInt8] {
            HTTP2Peer.frame(4, payload: [0, 3, 0, 0, 0, streams])
        }

        /// The last part of a response's body (RFC 9113 §6.1).
        private static func content(_ stream: UInt32) -> [UInt8] {
            HTTP2Peer.frame(0, flags: 1, stream: stream, payload: [7])
        }

        /// Submits POST requests over HTTP/2 without ALPN.
        private static func posts(_ count: Int, _ loop: TransferLoop) throws -> [TransferSlot] {
            let slots = try (0..<count).map { _ in try loop.call(.post) { $0.version = .http2PriorKnowledge } }
            for slot in slots { loop.submit(slot) }
            return slots
        }

        /// Whether so many requests were written, to each connection at most two of them.
        private static func areInPairs(_ count: Int, _ driver: ScriptedDriver) -> Bool {
            let counts = driver.lines.map { requestCount($0.written) }
            return counts.reduce(0, +) == count && counts.allSatisfy { $0 <= 2 }
        }

        @Test("calls above the limit on streams that arrives with the connection go to other connections")
        func limitAtBegin() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try Self.posts(5, loop)
            let open: (Int) -> Void = { index in
                if driver.lines.indices.contains(index) { driver.lines[index].input = Self.settings(streams: 2) }
                driver.open(index)
            }
            driver.steps = [
                {}, { open(0) }, { (1...4).forEach(open) }, { (1...4).forEach(open) }, {}, { loop.abandon() },
            ]
            slots[0].worker.run()
            #expect(Self.areInPairs(5, driver), "\(driver.lines.map { Self.requestCount($0.written) })")
        }

        @Test("a server that requires HTTP/1.1 of a call that wants HTTP/2 without ALPN gets it once")
        func requiresHTTP1() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let post = try Self.posts(1, loop)[0]
            let open: (Int) -> Void = { index in
                guard driver.lines.indices.contains(index) else { return }
                let refusal = HTTP2Peer.frame(3, stream: 1, payload: [0, 0, 0, 13])
                driver.lines[index].input = Self.settings(streams: 100) + refusal
                driver.answer(index, "")
            }
            driver.steps = [{}, { driver.open(0) }, { open(0) }, { driver.open(1) }, { open(1) }, { loop.abandon() }]
            post.worker.run()
            #expect(post.failure?.kind == .connectionLost && post.delivery == .notSent)
            #expect(post.failure?.message == "the server requires HTTP/1.1")
            #expect(driver.lines.count == 1 && Self.requestCount(driver.lines[0].written) == 1)
        }

        @Test(
            "a connection with a quiet call gets another one after silence only if its peer answers a PING",
            arguments: [true, false]
        )
        func quietCall(isAnswered: Bool) throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let quiet = try Self.posts(1, loop)[0]
            let others = try (0..<2).map { _ in try loop.call(.post) { $0.version = .http2PriorKnowledge } }
            var counts: [Int] = []
            let second: UInt64 = 1_000_000_000
            driver.steps = [
                {},
                { driver.open(0) },
                {
                    driver.lines[0].input = Self.settings(streams: 100) + HTTP2Peer.head(1, status: 200)
                    driver.answer(0, "")
                },
                {
                    // Not yet silent.
                    driver.now += 9 * second
                    loop.submit(others[0])
                },
                {
                    counts.append(Self.requestCount(driver.lines[0].written))
                    driver.lines[0].input = HTTP2Peer.head(3, status: 200, isLast: true)
                    driver.answer(0, "")
                },
                {
                    driver.now += 11 * second
                    loop.submit(others[1])
                },
                {
                    counts.append(Self.requestCount(driver.lines[0].written))
                    counts.append(Self.frameCount(6, driver.lines[0].written))
                    if isAnswered {
                        driver.lines[0].input = HTTP2Peer.frame(6, flags: 1, payload: Array(repeating: 0, count: 8))
                        driver.answer(0, "")
                    } else {
                        driver.now += 4 * second
                    }
                },
                { driver.open(1) },
                {
                    counts.append(Self.requestCount(driver.lines[0].written))
                    driver.lines[0].input = Self.content(1)
                    driver.answer(0, "")
                },
                { loop.abandon() },
            ]
            quiet.worker.run()
            #expect(others[0].isComplete)
            #expect(counts == [2, 2, 1, isAnswered ? 3 : 2])
            #expect(driver.lines.count == (isAnswered ? 1 : 2))
            #expect(quiet.isComplete, "the quiet call goes on")
            if !isAnswered { #expect(Self.requestCount(driver.lines[1].written) == 1) }
        }

        @Test(
            "a PING that stays unanswered moves all calls that wait for the answer, also after the first was cancelled"
        )
        func cancelledAtPing() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let quiet = try Self.posts(1, loop)[0]
            let others = try (0..<4).map { _ in try loop.call(.post) { $0.version = .http2PriorKnowledge } }
            var counts: [Int] = []
            let second: UInt64 = 1_000_000_000
            driver.steps = [
                {},
                { driver.open(0) },
                {
                    driver.lines[0].input = Self.settings(streams: 100) + HTTP2Peer.head(1, status: 200)
                    driver.answer(0, "")
                },
                {
                    driver.now += 11 * second
                    loop.submit(others[0])
                },
                {
                    driver.now += second
                    loop.cancel(others[0], others[0].generation)
                },
                {
                    for call in others[1...2] { loop.submit(call) }
                },
                { driver.now += 2 * second },
                { driver.open(1) },
                { loop.submit(others[3]) },
                {
                    counts = driver.lines.map { Self.requestCount($0.written) }
                    driver.lines[0].input = Self.content(1)
                    driver.answer(0, "")
                },
                { loop.abandon() },
            ]
            quiet.worker.run()
            #expect(counts == [1, 3] && quiet.isComplete)
        }

        @Test("calls above a small limit on streams are not used up while they wait", arguments: [40])
        func limitOfMany(count: Int) throws {
            let driver = ScriptedDriver()
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = count
            let loop = TransferLoop(configuration: configuration, driver: driver)
            let slots = try Self.posts(count, loop)
            var opened = 0
            let open = {
                while opened < driver.lines.count {
                    driver.lines[opened].input = Self.settings(streams: 2)
                    driver.open(opened)
                    opened += 1
                }
            }
            driver.steps = [{}] + [() -> Void](repeating: open, count: count) + [{ loop.abandon() }]
            slots[0].worker.run()
            #expect(Self.areInPairs(count, driver), "\(driver.lines.map { Self.requestCount($0.written) })")
        }

        @Test("a connection that refuses what exceeds its new limit on streams stays in use")
        func limitAfterRequests() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try Self.posts(3, loop)
            var isClosed = true
            driver.steps = [
                {},
                { driver.open(0) },
                {
                    let refusal = HTTP2Peer.frame(3, stream: 5, payload: [0, 0, 0, 7])
                    driver.lines[0].input = Self.settings(streams: 2) + refusal
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
            #expect(!isClosed && Self.requestCount(driver.lines[0].written) == 4)
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
            #expect(Self.requestCount(driver.lines[0].written) == (isBehind ? 2 : 3))
        }
    }
#endif
