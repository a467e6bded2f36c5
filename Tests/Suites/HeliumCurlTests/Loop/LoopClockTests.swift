import HTTPTypes
import HeliumCore
import HeliumEssentials
import Testing

@testable import HeliumCurl

@Suite("Clock of the loop", .timeLimit(.minutes(1)))
struct LoopClockTests {
    /// A driver whose clock is an hour later than the transport's creation, and whose first wait ends the loop.
    ///
    /// `@unchecked Sendable`: it is used on the thread of the test.
    private final class LateDriver: LoopDriver, @unchecked Sendable {
        let now = LoopTurn.read() + 3_600_000_000_000
        var onWait: () -> Void = {}

        func perform(now: UInt64) {}
        func wait(until deadline: UInt64) -> Bool {
            onWait()
            return false
        }
        func wake() {}
        func didOpen(_ socket: Int32) {}
        func willClose(_ socket: Int32) {}
        func serve(_ multi: UnsafeMutableRawPointer) {}
        func watch(_ socket: Int32, for channel: ByteChannel) {}
        func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)? { nil }
        func close() {}
    }

    @Test("the limits of the first call begin with it, however long before the transport was created")
    func firstCall() throws {
        let driver = LateDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let slot = try loop.acquire()
        try slot.prepare(TransportRequest(method: .get, url: RequestURL("http://127.0.0.1:9/")))
        loop.submit(slot)
        // Without a connector the call ends in the first turn.
        driver.onWait = { loop.abandon() }
        slot.worker.run()
        #expect(slot.endTime == driver.now)
        #expect(slot.timings.total == .zero)
    }
}
