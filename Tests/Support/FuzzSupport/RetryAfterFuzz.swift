import Foundation
import HeliumCore

extension FuzzTarget {
    static let retryAfter = FuzzTarget(
        "retry-after",
        examples: [
            "120", "0.5", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Fri, 31 Dec 9999 23:59:60 GMT\nDate: Sun, 06 Nov 1994 08:49:37 GMT", "x\nX-Rate-Limit-Reset: 30",
        ],
        pieces: [
            "0", "9", "-", ":", ",", " ", "GMT", "UTC", "Feb", "29", "30", ".", "99999999999999999999", "+1", "\n",
            "Date: ", "X-RateLimit-Reset: ", "٣", "1600", "1601",
        ],
        check: RetryAfterFuzz.delay
    )
}

/// Reads the pause that an answer asks for, and the dates in it.
package enum RetryAfterFuzz {
    package static func delay(_ bytes: [UInt8]) throws {
        for status in [429, 503] {
            let head = ResponseHead(status: status, section: Array("Retry-After: ".utf8) + bytes + [13, 10])
            for now in [Duration.zero, .seconds(1_455_264_007), .seconds(-1)] {
                guard let pause = ServerDelay.read(from: head, now: now) else { continue }
                guard pause >= .zero, pause <= .seconds(86_400) else { throw FuzzFinding("a pause of \(pause)") }
            }
        }
        guard let seconds = HTTPDate.parse(String(decoding: bytes, as: UTF8.self)) else { return }
        // 1601-01-01 to 9999-12-31.
        guard -11_644_473_600...253_402_300_799 ~= seconds else { throw FuzzFinding("a date of \(seconds)") }
        guard seconds >= 0 else { return }
        let text = HTTPDate.string(from: Date(timeIntervalSince1970: Double(seconds)))
        guard HTTPDate.parse(text) == seconds else { throw FuzzFinding("\(text) is not \(seconds)") }
    }
}
