#if HTTP2
    import Foundation
    import HTTPTypes
    import HeliumCore
    import HeliumWire
    import Testing
    import WireSupport

    @testable import HeliumCurl

    @Suite("Limits of calls whose bodies the system takes slowly", .timeLimit(.minutes(1)))
    struct SlowUploadTests {
        /// A source of zeros.
        ///
        /// `@unchecked Sendable`: it is used on the thread of the test.
        private final class Zeros: ImmediateUploadSource, @unchecked Sendable {
            private var left: Int

            init(_ count: Int) { left = count }

            func readNow(into room: UnsafeMutableRawBufferPointer) -> Int? {
                let count = min(left, room.count)
                room.copyBytes(from: repeatElement(0, count: count))
                left -= count
                return count
            }
            func next() async throws -> Data? { nil }
            func cancel() {}
        }

        @Test("a call over HTTP/2 goes on while the system takes its body, and a limit longer")
        func limit() throws {
            let driver = ScriptedDriver()
            let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
            let slot = try loop.acquire()
            let count = 40_000
            let upload = UploadBody(length: Int64(count), isReplayable: false) { Zeros(count) }
            var request = try TransportRequest(method: .post, url: RequestURL("http://127.0.0.1:9/"))
            request.version = .http2PriorKnowledge
            request.upload = upload
            request.timeouts.firstByte = .seconds(5)
            request.timeouts.idle = .seconds(5)
            try slot.prepare(request)
            slot.upload = UploadFeed(upload, source: Zeros(count), loop: loop, slot: slot)
            loop.submit(slot)
            let start = driver.now
            var endTime: UInt64?
            // The system takes bytes until the eighth second.
            driver.steps = [
                {},
                {
                    driver.lines[0].room = 20_000
                    driver.open(0)
                },
            ]
            for second in 1...30 {
                driver.steps.append {
                    driver.now = start + UInt64(second) * 1_000_000_000
                    if second < 8 { driver.makeRoom(100, 0) }
                    if second == 8 { driver.makeRoom(.max, 0) }
                    if slot.abort != nil, endTime == nil { endTime = UInt64(second - 1) }
                }
            }
            driver.steps.append { loop.abandon() }
            slot.worker.run()
            #expect(driver.lines[0].written.count > count)
            #expect(slot.failure?.kind == .timedOut && slot.failure?.phase == .firstByte)
            // Checked once per limit: after ten seconds bytes were taken since the fifth, and after fifteen no more.
            #expect(endTime.map { 14...17 ~= $0 } == true, "\(String(describing: endTime))")
        }
    }
#endif
