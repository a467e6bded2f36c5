import HTTPTypes
import HeliumCore
import Testing

@testable import HeliumWebSocket

@Suite("Responses to an upgrade")
struct RawHTTPResponseTests {
    /// Status, body and what is left over, whatever pieces the bytes come in.
    private func read(_ text: String, ends: Bool = false) throws -> Set<String> {
        var results: Set<String> = []
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var reader = RawHTTPResponseReader()
            var left: [UInt8] = []
            var answer: RawHTTPResponse?
            for start in stride(from: 0, to: bytes.count, by: size) {
                let part = bytes[start..<min(start + size, bytes.count)]
                var consumed = 0
                if answer == nil {
                    answer = try part.withUnsafeBytes { try reader.next($0.bytes, consumed: &consumed) }
                    // All is taken if the response is not complete.
                    if answer == nil { #expect(consumed == part.count) }
                }
                left += part.dropFirst(consumed)
            }
            if ends, answer == nil { answer = reader.end() }
            results.insert(
                answer.map {
                    let body = String(decoding: $0.body, as: UTF8.self)
                    return "\($0.head.status) \(body) left:\(String(decoding: left, as: UTF8.self))"
                } ?? "nothing"
            )
        }
        return results
    }

    @Test(
        "a response to an upgrade is read in any pieces",
        arguments: [
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nframes", "101  left:frames"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd", "200 abc left:d"),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno", "403 no left:"),
            (
                "HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n1;x\r\n!\r\n0\r\n\r\n",
                "403 no! left:"
            ),
            ("HTTP/1.1 403\r\nContent-Length: 0\r\n\r\n", "403  left:"),
            ("HTTP/1.1 204 No\r\n\r\n", "204  left:"), ("HTTP/1.1 304 No\r\nContent-Length: 9\r\n\r\n", "304  left:"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "nothing"),
            ("HTTP/1.1 200 OK\r\nConte", "nothing"),
        ]
    )
    func whole(text: String, expected: String) throws {
        // The last pieces may be left over or not yet asked for: a body's end is not always the bytes' end.
        #expect(try read(text).map { $0.prefix(while: { $0 != "l" }) }.allSatisfy(expected.hasPrefix))
        #expect(try read(text).contains(expected))
    }

    @Test("a response without a length ends with the connection")
    func untilEnd() throws {
        #expect(try read("HTTP/1.1 500 Oops\r\n\r\nsorry", ends: true) == ["500 sorry left:"])
        #expect(try read("HTTP/1.1 500 Oo", ends: true) == ["nothing"])
    }

    @Test(
        "an invalid response to an upgrade is refused",
        arguments: [
            "HTTP/2 101 x\r\n\r\n", "HTTP/1.1 1x1 x\r\n\r\n", "HTTP/1.1 99 x\r\n\r\n", "SSH-2.0-something",
            "HTTP/1.1 101 x\r\nno colon\r\n\r\n", "HTTP/1.1 101 x\r\n: empty\r\n\r\n",
            "HTTP/1.1 101 x\r\na b: c\r\n\r\n",
            "HTTP/1.1 101 x\r\na: b\r\n folded\r\n\r\n", "\r\n\r\n",
            " HTTP/1.1 101 x\r\n\r\n", "HTTP/1.1  101 x\r\n\r\n",
            "HTTP/1.1 101 x\r\n" + String(repeating: "a", count: 70_000),
            "HTTP/1.1 101 x\r\nA: " + String(repeating: "a", count: 70_000) + "\r\n\r\n",
            String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 3_000),
        ]
    )
    func malformed(text: String) {
        let bytes = Array(text.utf8)
        for size in [1, 1_000, bytes.count] {
            var reader = RawHTTPResponseReader()
            #expect(throws: RawHTTPResponseReader.Malformed.self, "in pieces of \(size)") {
                for start in stride(from: 0, to: bytes.count, by: size) {
                    try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
                        var consumed = 0
                        _ = try reader.next($0.bytes, consumed: &consumed)
                    }
                }
            }
        }
    }
}
