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
    @Test("a call that is sent again is not sent on an idle connection that has ended meanwhile")
    func sentAgain() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let first = [try loop.call(.get), try loop.call(.get)]
        let post = try loop.call(.post)
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

    @Test(
        "a call finds any number of idle connections that have ended, and is sent on a new one",
        arguments: [true, false]
    )
    func manyEnded(wereUsed: Bool) throws {
        let count = 40
        let driver = ScriptedDriver()
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = count
        let loop = TransferLoop(configuration: configuration, driver: driver)
        let slots = try (0..<count).map { _ in try loop.call(.get) }
        let post = try loop.call(.post)
        for slot in slots { loop.submit(slot) }
        let answers: [() -> Void] =
            if wereUsed {
                [{ (0..<count).forEach(driver.open) }, { (0..<count).forEach { driver.answer($0) } }]
            } else {
                [{ driver.open(0) }] + Array(repeating: { driver.answer(0) }, count: count)
                    + [{ (1..<count).forEach(driver.open) }]
            }
        driver.steps =
            [{}] + answers + [
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
        let slots = try (0..<3).map { _ in try loop.call(.get) }
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

    @Test(
        "a call is not sent on a connection that had ended when it was made, and fails with the reason",
        arguments: [HTTPVersionPolicy.http1] + priorKnowledge,
        [FailureKind.connectionLost, .protocolViolated]
    )
    func endedAtOnce(version: HTTPVersionPolicy, kind: FailureKind) throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let post = try loop.call(.post) { $0.version = version }
        loop.submit(post)
        driver.steps = [
            {},
            {
                driver.lines[0].facts.timings.connect = .milliseconds(3)
                if kind == .connectionLost {
                    driver.lines[0].hasEnded = true
                } else {
                    driver.lines[0].readFailure = TransportFailure(kind, delivery: .notSent, message: "floods")
                }
                driver.open(0)
            },
            {},
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(driver.lines.count == 1 && driver.lines[0].written.isEmpty)
        #expect(post.failure?.kind == kind && post.delivery == .notSent)
        #expect(post.failure?.message == (kind == .connectionLost ? "ended" : "floods"))
        #expect(post.failure?.timings.connect != nil)
    }

    @Test("a connection takes no more calls after its maximum age")
    func age() throws {
        let driver = ScriptedDriver()
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionAge = .seconds(30)
        let loop = TransferLoop(configuration: configuration, driver: driver)
        let slots = try (0..<3).map { _ in try loop.call(.get) }
        loop.submit(slots[0])
        driver.steps = [
            {},
            { driver.open(0) },
            { driver.answer(0) },
            {
                driver.now += 29_000_000_000
                loop.submit(slots[1])
            },
            { driver.answer(0) },
            {
                driver.now += 2_000_000_000
                loop.submit(slots[2])
            },
            { driver.open(1) },
            { driver.answer(1) },
            { loop.abandon() },
        ]
        slots[0].worker.run()
        #expect(slots.allSatisfy { $0.isComplete })
        #expect(driver.lines.count == 2 && driver.lines[0].isClosed)
    }

    @Test(
        "a call fails with the reason of its connection's failure, and is sent again if nothing of it was accepted",
        arguments: [HTTPVersionPolicy.http1] + priorKnowledge,
        [true, false]
    )
    func otherFailure(version: HTTPVersionPolicy, isAccepted: Bool) throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let post = try loop.call(.post) { $0.version = version }
        loop.submit(post)
        driver.steps = [
            {},
            {
                if !isAccepted { driver.lines[0].room = 0 }
                driver.open(0)
            },
            {
                let message = "the peer floods"
                let failure = TransportFailure(.protocolViolated, delivery: .notSent, message: message)
                driver.lines[0].readFailure = failure
                driver.answer(0, "")
            },
            {},
            { loop.abandon() },
        ]
        post.worker.run()
        #expect(driver.lines.count == (isAccepted ? 1 : 2))
        guard isAccepted else { return }
        #expect(post.failure?.kind == .protocolViolated && post.delivery == .maybeSent)
        #expect(post.failure?.message == "the peer floods")
    }

    private static var priorKnowledge: [HTTPVersionPolicy] {
        #if HTTP2
            [.http2PriorKnowledge]
        #else
            []
        #endif
    }

    @Test("bytes that came before the first request are the response to it, and no other call gets what follows them")
    func early() throws {
        let driver = ScriptedDriver()
        var configuration = CurlTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let loop = TransferLoop(configuration: configuration, driver: driver)
        let slots = [try loop.call(.get), try loop.call(.post)]
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
        let post = try loop.call(.post) { $0.body = Data(count: 300_000) }
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
        let post = try loop.call(.post) { $0.upload = upload }
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
        let post = try loop.call(.post) { $0.upload = upload }
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
        let get = try loop.call(.get)
        let post = try loop.call(.post) { $0.body = Data(count: 300_000) }
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
}
