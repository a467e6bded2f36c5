import HeliumKit

extension FuzzTarget {
    static let contentRanges = FuzzTarget(
        "content-range",
        examples: [
            "bytes 0-499/1234", "bytes 500-999/*", "bytes */1234", "BYTES 9223372036854775806-9223372036854775806/*",
        ],
        pieces: ["bytes", " ", "-", "/", "*", "0", "9223372036854775807", "9223372036854775808", "+", "٣", "\t", ","],
        check: ContentRangeFuzz.range
    )
}

/// Reads `Content-Range`; what is read makes sense, and is read again from its own text.
package enum ContentRangeFuzz {
    package static func range(_ bytes: [UInt8]) throws {
        guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { return }
        guard range.bounds != nil || range.total != nil else { throw FuzzFinding("a range of nothing") }
        if let bounds = range.bounds {
            guard bounds.lowerBound >= 0, range.total.map({ bounds.upperBound < $0 }) ?? true else {
                throw FuzzFinding("\(range) is outside of its whole")
            }
        }
        let bounds = range.bounds.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*"
        let text = "bytes \(bounds)/\(range.total.map { "\($0)" } ?? "*")"
        guard ContentRange(text) == range else { throw FuzzFinding("\(text) is not \(range)") }
    }
}
