import HTTPTypes
import HeliumConcurrency
import HeliumCore
import HeliumEssentials
import HeliumWire
import Synchronization
import Testing

@testable import HeliumCurl

@Suite("Clock of the loop", .timeLimit(.minutes(1)))
struct LoopClockTests {
    /// A driver whose clock is an hour later than the transport's creation, and whose first wait ends the loop.
    ///
    /// `@unchecked Sendable`: it is used on the thread of the test.
    private final class LateDriver: FakeDriver, @unchecked Sendable {
        let now = LoopTurn.read() + 3_600_000_000_000
        var onWait: () -> Void = {}

        func wait(until deadline: UInt64) -> Bool {
            onWait()
            return false
        }
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

    /// A source whose bytes come when the test says so.
    private final class LateSource: UploadSource {
        let bytes = Signal<Data>()
        private let count = Guarded(0)

        func next() async throws -> Data? {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return number == 0 ? try await bytes.value() : nil
        }

        func cancel() {}
    }

    @Test("the limit of a phase goes on when a body's source has bytes that the connection does not take")
    func sourceHasBytes() async throws {
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: LateDriver())
        let slot = try loop.acquire()
        let source = LateSource()
        let upload = UploadBody(length: 4, isReplayable: false) { source }
        var request = TransportRequest(method: .post, url: try RequestURL("http://127.0.0.1:9/"))
        request.upload = upload
        request.timeouts.total = nil
        try slot.prepare(request)
        let feed = UploadFeed(upload, source: source, loop: loop, slot: slot)
        slot.upload = feed
        slot.limits.start(now: 0)
        withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { #expect(slot.supplyBody($0) == .nothing) }
        slot.checkSource()
        #expect(slot.limits.deadline == .max)
        feed.start()
        _ = source.bytes.settle(.success(Data("body".utf8)))
        while feed.isAwaited { await Task.yield() }
        slot.checkSource()
        #expect(slot.limits.deadline < .max)
        feed.stop()
        loop.abandon()
    }
}
