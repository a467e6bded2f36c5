import Foundation
import HTTPTypes
import HeliumCore
import Testing

@testable import HeliumCurl

@Suite("Records of TLS", .timeLimit(.minutes(1)))
struct RecordTests {
    @Test("records of one byte are read in turns, between which the loop serves others")
    func turns() throws {
        let driver = ScriptedDriver()
        let loop = TransferLoop(configuration: CurlTransport.Configuration(), driver: driver)
        let slot = try loop.acquire()
        try slot.prepare(TransportRequest(method: .get, url: RequestURL("http://127.0.0.1:9/")))
        loop.submit(slot)
        let body = String(repeating: "a", count: 1000)
        var counts = [0]
        driver.steps = [
            {},
            {
                driver.lines[0].isSocket = false
                driver.open(0)
            },
            {
                driver.lines[0].recordBytes = 1
                driver.answer(0, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + body)
            },
        ]
        for _ in 0..<100 { driver.steps.append { counts.append(driver.lines[0].readCount) } }
        driver.steps.append { loop.abandon() }
        slot.worker.run()
        #expect(slot.isComplete)
        let turns = zip(counts.dropFirst(), counts).map { $0 - $1 }
        // In the turn in which they arrive, the event is handled, and then what it has left.
        #expect(counts.last ?? 0 > 1000 && turns.allSatisfy { $0 <= 2 * 64 }, "\(counts)")
    }
}
