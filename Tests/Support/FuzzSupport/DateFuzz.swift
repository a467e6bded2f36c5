import Foundation
import HeliumCore

/// Dates: any bytes; what is read as a date must come back from its own text.
public func fuzzDates(_ bytes: [UInt8]) {
    for assumingUTC in [false, true] {
        guard let instant = bytes.withUnsafeBufferPointer({ RFC3339.instant(in: $0, assumingUTC: assumingUTC) }) else {
            continue
        }
        precondition(0..<1_000_000_000 ~= instant.nanoseconds)
        let text = RFC3339.string(from: instant.date)
        guard RFC3339.seconds.contains(instant.seconds) else { continue }
        guard let back = RFC3339.date(from: text) else { preconditionFailure("\(text) is no date") }
        precondition(abs(back.timeIntervalSince(instant.date)) <= 0.001)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    for rule in [DateRule.rfc3339, .rfc3339AssumingUTC, .epochSeconds, .epochMilliseconds] {
        if let date = rule.date(from: .text(text)) { precondition(date.timeIntervalSince1970.isFinite) }
    }
}
