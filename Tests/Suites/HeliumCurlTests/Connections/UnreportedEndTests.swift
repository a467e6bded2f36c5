import Foundation
import HTTPTypes
import HeliumCore
import HeliumWire
import Synchronization
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Bytes and ends of connections of which the loop learns late", .timeLimit(.minutes(1)))
struct UnreportedEndTests {
    private static func slot(
        _ method: HTTPRequest.Method,
        _ loop: TransferLoop,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) throws -> TransferSlot {
        let slot = try loop.acquire()
        var request = try TransportRequest(method: method, url: RequestURL("http://127.0.0.1:9/"))
        change(&request)
        try slot.prepare(request)
        return slot
    }

    @Test("a call that is sent again is not sent on an idle connection that has ended meanwhile")
    func sentAgain() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let first = [try Self.slot(.get, loop), try Self.slot(.get, loop)]
        let post = try Self.slot(.post, loop)
        for slot in first { loop.submit(slot) }
        driver.steps = [
            {},
            { (0..<2).forEach(driver.open) },
            { (0..<2).forEach { driver.answer($0) } },
            {
                // The newest one is used first.
                driver.lines[1].writeError = ECONNRESET
                driver.lines[0].hasEnded = true
                loop.submit(post)
            },
            { driver.open(2) },
            { driver.answer(2) },
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(first.allSatisfy { $0.isComplete })
        #expect(post.isComplete)
        #expect(!String(decoding: driver.lines[0].written, as: UTF8.self).contains("POST"))
    }

    @Test("a call finds any number of idle connections that have ended, and is sent on a new one")
    func manyEnded() throws {
        let count = 40
        let driver = ScriptedDriver()
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = count
        let loop = TransferLoop(configuration: configuration, driver: driver)
        let slots = try (0..<count).map { _ in try Self.slot(.get, loop) }
        let post = try Self.slot(.post, loop)
        for slot in slots { loop.submit(slot) }
        driver.steps = [
            {},
            { (0..<count).forEach(driver.open) },
            { (0..<count).forEach { driver.answer($0) } },
            {
                for line in driver.lines { line.hasEnded = true }
                loop.submit(post)
            },
            { driver.open(count) },
            { driver.answer(count) },
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(slots.allSatisfy { $0.isComplete } && driver.lines.count == count + 1)
        #expect(post.isComplete, "\(String(describing: post.failure))")
    }

    @Test("a connection that was made for no call is not used after an end that no poll has reported")
    func neverUsed() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let slots = try (0..<3).map { _ in try Self.slot(.get, loop) }
        for slot in slots[..<2] { loop.submit(slot) }
        driver.steps = [
            {},
            { driver.open(0) },
            // The second call goes on the first connection too.
            { driver.answer(0) },
            {
                driver.answer(0)
                driver.open(1)
            },
            {
                driver.lines[1].hasEnded = true
                loop.submit(slots[2])
            },
            {},
            { driver.answer(0) },
            { loop.abandon() },
        ]
        slots[0].worker.run()
        #expect(driver.lines[1].written.isEmpty)
        #expect(slots.allSatisfy { $0.isComplete })
    }

    @Test("bytes that came before the first request are the response to it, and no other call gets what follows them")
    func early() throws {
        let driver = ScriptedDriver()
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let loop = TransferLoop(configuration: configuration, driver: driver)
        let slots = [try Self.slot(.get, loop), try Self.slot(.post, loop)]
        for slot in slots { loop.submit(slot) }
        driver.steps = [
            {},
            {
                driver.lines[0].hasEarlyBytes = true
                driver.lines[0].input = Array("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".utf8)
                driver.open(0)
            },
            { driver.open(1) },
            { driver.answer(1) },
            { loop.abandon() },
        ]
        slots[0].worker.run()
        #expect(slots[0].isComplete && slots[0].head.status == 503)
        #expect(slots[1].isComplete && slots[1].head.status == 200)
        #expect(!String(decoding: driver.lines[0].written, as: UTF8.self).contains("POST"))
    }

    @Test(
        "a response that ends with its connection is whole if the peer had closed it before a write failed",
        arguments: [EPIPE, ECONNRESET]
    )
    func brokenPipe(error: CInt) throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let post = try Self.slot(.post, loop) { $0.body = Data(count: 300_000) }
        loop.submit(post)
        driver.steps = [
            {},
            {
                driver.lines[0].room = 100_000
                driver.open(0)
            },
            {
                let response = "HTTP/1.1 413 Too Large\r\nConnection: close\r\n\r\nmuch"
                driver.end(0, after: response, writeError: error)
            },
            {},
            {},
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(post.head.status == 413 && post.delivery == .answered)
        #expect(post.isComplete == (error == EPIPE))
        #expect(post.failure?.kind == (error == EPIPE ? nil : .connectionLost))
        guard case .collected(let body) = post.takeResponse().body else { return }
        #expect(body == Data("much".utf8))
    }

    /// A source that can't be read.
    private final class BrokenSource: ImmediateUploadSource {
        func readNow(into room: UnsafeMutableRawBufferPointer) throws(UploadFailure) -> Int? {
            throw UploadFailure("the file was changed")
        }
        func next() async throws -> Data? { throw UploadFailure("the file was changed") }
        func cancel() {}
    }

    @Test("a call whose body can't be read before anything was written is not sent")
    func unreadable() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let upload = UploadBody(length: 8, isReplayable: false) { BrokenSource() }
        let post = try Self.slot(.post, loop) { $0.upload = upload }
        post.upload = UploadFeed(upload, source: BrokenSource(), loop: loop, slot: post)
        loop.submit(post)
        driver.steps = [{}, { driver.open(0) }, {}, { loop.abandon() }]
        post.worker.run()
        #expect(post.failure?.kind == .requestBodyFailed)
        #expect(post.delivery == .notSent && driver.lines[0].written.isEmpty)
    }

    /// A source that always has to be waited for.
    private final class SlowSource: ImmediateUploadSource {
        /// The threads on which it was cancelled.
        let cancellers = Guarded<[ObjectIdentifier]>([])

        func readNow(into room: UnsafeMutableRawBufferPointer) -> Int? { nil }
        func next() async throws -> Data? {
            try await Task.sleep(for: .seconds(3600))
            return nil
        }
        func cancel() { cancellers.withLock { $0.append(ObjectIdentifier(Thread.current)) } }
    }

    @Test("a source that is being read is not cancelled on the loop, for which it would have to wait")
    func slowSource() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let source = SlowSource()
        let upload = UploadBody(length: 8, isReplayable: false) { source }
        let post = try Self.slot(.post, loop) { $0.upload = upload }
        post.upload = UploadFeed(upload, source: source, loop: loop, slot: post)
        loop.submit(post)
        driver.steps = [
            {},
            { driver.open(0) },
            { driver.answer(0, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n") },
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(post.isComplete && post.head.status == 413)
        let cancellers = source.cancellers.withLock { $0 }
        #expect(!cancellers.contains(ObjectIdentifier(Thread.current)))
    }

    @Test("the end of a used connection within a response is told as such, also if a write has failed")
    func lostMidway() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let get = try Self.slot(.get, loop)
        let post = try Self.slot(.post, loop) { $0.body = Data(count: 300_000) }
        loop.submit(get)
        driver.steps = [
            {},
            { driver.open(0) },
            { driver.answer(0) },
            {
                driver.lines[0].room = 100_000
                loop.submit(post)
            },
            { driver.end(0, after: "HTTP/1.1 413 Too Large\r\n\r\nmuch", writeError: ECONNRESET) },
            {},
            {},
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(get.isComplete && post.head.status == 413)
        let failure = try #require(post.failure)
        #expect(failure.kind == .connectionLost && failure.delivery == .answered)
        #expect(failure.message.contains("before the response was complete"), "\(failure)")
    }

    #if HTTP2
        /// The number of requests in what was written to a connection of HTTP/2 (RFC 9113 §4.1).
        private static func requestCount(_ bytes: [UInt8]) -> Int {
            var rest = bytes.dropFirst("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8.count)
            var count = 0
            while rest.count >= 9 {
                let head = Array(rest.prefix(9))
                if head[3] == 1 { count += 1 }
                rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
            }
            return count
        }

        /// SETTINGS with a number of streams (RFC 9113 §6.5.2).
        private static func settings(streams: UInt8) -> [UInt8] {
            HTTP2Peer.frame(4, payload: [0, 3, 0, 0, 0, streams])
        }

        @Test("calls above the limit on streams that arrives with the connection go to other connections")
        func limitAtBegin() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try (0..<5).map { _ in
                try Self.slot(.post, loop) { $0.version = .http2PriorKnowledge }
            }
            for slot in slots { loop.submit(slot) }
            let open: (Int) -> Void = { index in
                if driver.lines.indices.contains(index) { driver.lines[index].input = Self.settings(streams: 2) }
                driver.open(index)
            }
            driver.steps = [
                {}, { open(0) }, { (1...4).forEach(open) }, { (1...4).forEach(open) }, {}, { loop.abandon() },
            ]
            slots[0].worker.run()
            let counts = driver.lines.map { Self.requestCount($0.written) }
            #expect(counts.reduce(0, +) == 5 && counts.allSatisfy { $0 <= 2 }, "\(counts)")
        }

        @Test("calls above a small limit on streams are not used up while they wait", arguments: [40])
        func limitOfMany(count: Int) throws {
            let driver = ScriptedDriver()
            var configuration = CurlTransport.Configuration()
            configuration.maximumConnectionsPerHost = count
            let loop = TransferLoop(configuration: configuration, driver: driver)
            let slots = try (0..<count).map { _ in
                try Self.slot(.post, loop) { $0.version = .http2PriorKnowledge }
            }
            for slot in slots { loop.submit(slot) }
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
            let counts = driver.lines.map { Self.requestCount($0.written) }
            #expect(counts.reduce(0, +) == count && counts.allSatisfy { $0 <= 2 }, "\(counts)")
        }

        @Test("a connection that refuses what exceeds its new limit on streams stays in use")
        func limitAfterRequests() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slots = try (0..<3).map { _ in
                try Self.slot(.post, loop) { $0.version = .http2PriorKnowledge }
            }
            for slot in slots { loop.submit(slot) }
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
                try Self.slot(.post, loop) { $0.version = .http2PriorKnowledge }
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
    #endif
}
