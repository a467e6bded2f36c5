import HTTPTypes
import HeliumCore
import Testing

@testable import HeliumCurl

@Suite("Turns of the loop", .timeLimit(.minutes(1)))
struct LoopTurnTests {
    /// A driver that always has events, and never those of all sockets.
    ///
    /// `@unchecked Sendable`: it is used on the thread of the test.
    private final class BusyDriver: FakeDriver, @unchecked Sendable {
        var onWait: (Int) -> Void = { _ in }
        /// The number of waits whose events were not performed before the next one.
        private(set) var lost = 0
        private var waits = 0
        private var hasEvents = false

        func perform(now: UInt64) { hasEvents = false }

        func wait(until deadline: UInt64) -> Bool {
            if hasEvents { lost += 1 }
            hasEvents = true
            waits += 1
            onWait(waits)
            return true
        }
    }

    private static func request(_ mode: ResponseBodyMode = .collect(upTo: 0)) throws -> TransportRequest {
        TransportRequest(method: .get, url: try RequestURL("http://127.0.0.1:9/"), responseBody: mode)
    }

    @Test("events are performed before the sockets are polled again for a new call")
    func isFull() throws {
        let driver = BusyDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let slots = [try loop.acquire(), try loop.acquire()]
        for slot in slots { try slot.prepare(Self.request()) }
        loop.submit(slots[0])
        driver.onWait = { number in
            if number == 3 { loop.submit(slots[1]) }
            if number == 6 { loop.abandon() }
        }
        slots[0].worker.run()
        #expect(slots[1].endTime > 0)
        #expect(driver.lost == 0)
    }

    @Test("the consumer of a stream that came while the loop read nothing is told of earlier bytes")
    func readsNothing() throws {
        let driver = BusyDriver()
        let transport = CurlTransport(CurlTransport.Configuration(), times: ConnectionTimes(), driver: driver)
        let slot = try transport.loop.acquire()
        try slot.prepare(Self.request(.stream))
        let stream = StreamSource(transport: transport, slot: slot, generation: slot.generation)
        slot.stream = stream
        _ = "bytes".utf8.withContiguousStorageIfAvailable { stream.append(UnsafeRawBufferPointer($0), now: 0) }
        // A consumer that comes now finds no bytes.
        #expect(slot.bodyRoom(upTo: 100_000, ofRest: 100_000) != nil)
        _ = slot.didFill(0)
        #expect(slot.isTouched)
        slot.stream = nil
    }
}
