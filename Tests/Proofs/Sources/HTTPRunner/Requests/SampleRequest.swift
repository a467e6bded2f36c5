import Foundation
import HTTPTypes

@testable import HeliumCore
@testable import HeliumCrypto

/// A request, and what a server that has read it repeats (peers/echo.go).
struct SampleRequest: Sendable {
    let request: TransportRequest
    let body: Data

    /// The lines that a server that reads the request as it was meant replies.
    var expected: [[UInt8]] {
        var lines = [request.method.rawValue, request.url.target, EchoCall.hex(SHA256.hash(body))].map {
            Array($0.utf8)
        }
        let own = request.fields.map { field in
            let name = field.name.rawName.lowercased()
            return (name: name, line: Array(name.utf8) + Array(": ".utf8) + field.withUnsafeBytesOfValue { Array($0) })
        }
        let echoed = own.enumerated().filter { $0.element.name.hasPrefix("x-") }.sorted { a, b in
            let names = (Array(a.element.name.utf8), Array(b.element.name.utf8))
            return names.0 == names.1 ? a.offset < b.offset : names.0.lexicographicallyPrecedes(names.1)
        }
        lines += echoed.map(\.element.line)
        return lines
    }

    /// Returns what is wrong with a reply; `nil` if the request was read as it was meant.
    func fault(of response: TransportResponse, isHTTP2: Bool) -> String? {
        guard response.head.status == 200, let reply = response.collectedBody else {
            return
                "status \(response.head.status) \(Self.shown([UInt8](response.collectedBody ?? Data())))"
        }
        guard (response.head.version == .http2) == isHTTP2 else { return "over \(response.head.version)" }
        let lines = reply.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { Array($0) }
        let expected = expected
        guard lines != expected else { return nil }
        for (line, other) in zip(lines, expected) where line != other {
            return "\(Self.shown(line)), expected \(Self.shown(other))"
        }
        return "\(lines.count) lines, expected \(expected.count)"
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(300), as: UTF8.self).debugDescription
    }
}
