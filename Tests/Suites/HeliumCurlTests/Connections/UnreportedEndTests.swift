import HTTPTypes
import HeliumCore
import Testing

@testable import HeliumCurl

@Suite("Ends of connections that the loop does not know", .timeLimit(.minutes(1)))
struct UnreportedEndTests {
    /// A connection whose peer does what the test says.
    private final class Line: ChannelLine {
        let facts = ChannelFacts()
        let isSocket = true
        let channel: ByteChannel
        /// The bytes of the peer.
        var input: [UInt8] = []
        var hasEnded = false
        var failsToWrite = false
        private(set) var written: [UInt8] = []

        init(_ channel: ByteChannel) { self.channel = channel }

        func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
            if input.isEmpty { return hasEnded ? .end(isOrderly: true) : .nothing }
            let count = min(input.count, memory.count)
            memory.copyBytes(from: input[..<count])
            input.removeFirst(count)
            return .bytes(count)
        }

        func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
            if failsToWrite { return .failed(TransportFailure(.connectionLost, delivery: .notSent, message: "reset")) }
            written += Array(bytes)
            return .bytes(bytes.count)
        }

        func takeError() -> TransportFailure? { nil }
        func endWriting() -> Bool { true }
        func close() {}
    }

    /// A driver that takes a step of the test in each wait.
    ///
    /// `@unchecked Sendable`: it is used on the thread of the test.
    private final class Driver: FakeDriver, LoopConnector, @unchecked Sendable {
        private(set) var lines: [Line] = []
        var steps: [() -> Void] = []
        private var connected: [Line] = []
        private var ready: [Line] = []

        func answer(_ index: Int) {
            guard lines.indices.contains(index) else { return }
            lines[index].input += Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
            ready.append(lines[index])
        }

        func open(_ index: Int) {
            if lines.indices.contains(index) { connected.append(lines[index]) }
        }

        func perform(now: UInt64) {
            for line in ready { line.channel.isReady(toRead: true, toWrite: false, isEnding: false) }
            ready = []
        }

        func wait(until deadline: UInt64) -> Bool {
            if !steps.isEmpty { steps.removeFirst()() }
            return !ready.isEmpty
        }

        func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)? { self }

        func connect(_ channel: ByteChannel) -> (any ChannelLine)? {
            lines.append(Line(channel))
            return lines.last
        }

        func collect() {
            for line in connected { line.channel.connected() }
            connected = []
        }

        func dispose() {}
    }

    private static func slot(_ method: HTTPRequest.Method, _ loop: TransferLoop) throws -> TransferSlot {
        let slot = try loop.acquire()
        try slot.prepare(TransportRequest(method: method, url: RequestURL("http://127.0.0.1:9/")))
        return slot
    }

    @Test("a call that is sent again is not sent on an idle connection that has ended meanwhile")
    func sentAgain() throws {
        let driver = Driver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let first = [try Self.slot(.get, loop), try Self.slot(.get, loop)]
        let post = try Self.slot(.post, loop)
        for slot in first { loop.submit(slot) }
        driver.steps = [
            {},
            { (0..<2).forEach(driver.open) },
            { (0..<2).forEach(driver.answer) },
            {
                // The newest one is used first.
                driver.lines[1].failsToWrite = true
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

    @Test("a connection that was made for no call is not used after an end that no poll has reported")
    func neverUsed() throws {
        let driver = Driver()
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
}
