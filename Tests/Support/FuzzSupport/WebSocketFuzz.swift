internal import HeliumWebSocket
internal import HeliumWebSocketFraming

extension FuzzTarget {
    static let webSocketFrames = FuzzTarget(
        "websocket-frames",
        // The first byte says who reads: a client from 0, a server from 7.
        exampleBytes: [
            [0, 0x81, 2] + Array("hi".utf8) + [0x89, 1, 0x70, 0x8A, 0, 0x88, 2, 0x03, 0xE8],
            [2, 0x01, 3] + Array("yé".utf8) + [0x89, 0, 0x80, 4] + Array("😀".utf8),
            [4, 0x82, 0x7E, 0, 4, 1, 2, 3, 4, 0x88, 5, 0x10, 0, 0x62, 0x79, 0x65],
            [7, 0x81, 0x82, 0, 0, 0, 0] + Array("hi".utf8) + [0x89, 0x80, 1, 2, 3, 4],
            [9, 0x02, 0x83, 1, 2, 3, 4, 5, 6, 7, 0x80, 0x80, 0, 0, 0, 0, 0x88, 0x80, 0, 0, 0, 0],
        ],
        pieceBytes: [
            [0x80], [0x81], [0x82], [0x88], [0x89], [0x8A], [0x00], [0x01], [0x02], [0xC1], [0x7D], [0x7E], [0x7F],
            [0xFE],
            [0xFF], [0, 0, 0, 0], [0x03, 0xE8], [0x03, 0xED], [0xC3], [0xA9], [0xED, 0xA0, 0x80], Array("hello".utf8),
            [0x7E, 0x03, 0xFF], [0x7F, 0, 0, 0, 0, 0, 0, 0, 5], [0x7F, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ],
        check: WebSocketFuzz.frames
    )

    static let upgradeResponses = FuzzTarget(
        "upgrade-responses",
        examples: [
            "\u{0}HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nrest",
            "\u{1}HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno",
            "\u{2}HTTP/1.0 200 OK\r\n\r\n",
            "\u{3}HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbusy\r\n0\r\n\r\n",
        ],
        pieces: [
            "\r\n", "\n", "\r", "\r\n\r\n", "HTTP/1.1 ", "200", "101", "999", ":", " ", "\0", "0\r\n\r\n",
            "Content-Length: 3\r\n", "Content-Length: 99999999999999999999\r\n", "Content-Length: -1\r\n",
            "Transfer-Encoding: chunked\r\n", "é", "\t",
        ],
        check: WebSocketFuzz.response
    )

    static let jsonObjects = FuzzTarget(
        "json-objects",
        examples: ["{\"a\":1}\n{\"b\":\"}\\\"{\"}{}", " \r\n{\"a\":{\"b\":[{}]}}"],
        pieces: [
            "{", "}", "\"", "\\", "\\\"", "\n", "\r\n", " ", "\t", "[", "]", "a", "{}", "{{{{{{{{", "}}}}", "é", "\0",
        ],
        check: WebSocketFuzz.objects
    )
}

/// Reads what a peer of a WebSocket or of a connection with JSON objects sends, whole and in pieces: the pieces may make
/// no difference.
package enum WebSocketFuzz {
    private static let limit = 1 << 10

    /// The first byte says how large the pieces are, and which side reads.
    package static func frames(_ bytes: [UInt8]) throws {
        let side: FrameSide = (bytes.first ?? 0) / 7 % 2 == 0 ? .client : .server
        try compare(bytes) { pieces in
            var reader = FrameReader(for: side, maximumFrameBytes: limit, maximumMessageBytes: 2 * limit)
            return try read(pieces) { input, consumed throws(FrameFault) in
                try reader.next(input, consumed: &consumed)
            } describe: { event in
                switch event {
                case .text(let text, let count) where text.utf8.count != count || count > 2 * limit:
                    throw FuzzFinding("a text of \(text.utf8.count) bytes is said to have \(count)")
                case .binary(let data) where data.count > 2 * limit:
                    throw FuzzFinding("a message of \(data.count) bytes is longer than the limit")
                case .text(let text, _): return "text \(text)"
                case .binary(let data): return "binary \(Array(data))"
                case .ping(let data): return "ping \(data)"
                case .pong: return "pong"
                case .close(let code, let reason): return "close \(code.map(String.init) ?? "-") \(reason)"
                }
            }
        }
    }

    /// The first byte says how large the pieces are.
    package static func response(_ bytes: [UInt8]) throws {
        try compare(bytes) { pieces in
            var reader = RawHTTPResponseReader()
            var isRead = false
            return try read(pieces) { input, consumed throws(RawHTTPResponseReader.Malformed) in
                guard !isRead, let response = try reader.next(input, consumed: &consumed) else {
                    return RawHTTPResponse?.none
                }
                isRead = true
                return response
            } describe: { response in
                guard 100...999 ~= response.head.status else {
                    throw FuzzFinding("\(response.head.status) is no status")
                }
                return "\(response.head.status) \(response.head.section)"
            }
        }
    }

    /// The first byte says how large the pieces are.
    package static func objects(_ bytes: [UInt8]) throws {
        try compare(bytes) { pieces in
            var splitter = JSONObjectSplitter(maximumBytes: limit)
            return try read(pieces) { input, consumed in
                try splitter.next(input, consumed: &consumed)
            } describe: { object in
                let object = Array(object.utf8)
                guard object.first == UInt8(ascii: "{"), object.last == UInt8(ascii: "}"), object.count <= limit else {
                    throw FuzzFinding("\(object) is no object")
                }
                return "\(object)"
            }
        }
    }

    private static func compare(_ bytes: [UInt8], _ results: ([ArraySlice<UInt8>]) throws -> [String]) throws {
        let size = Int(bytes.first ?? 0) % 7 + 1
        let input = bytes.dropFirst()
        let pieces = stride(from: input.startIndex, to: input.endIndex, by: size).map {
            input[$0..<min($0 + size, input.endIndex)]
        }
        guard try results([input]) == results(pieces) else {
            throw FuzzFinding("pieces of \(size) change what is read of \(bytes)")
        }
    }

    /// Returns everything that is read, and the fault that ends it.
    private static func read<Value, Fault: Error>(
        _ pieces: [ArraySlice<UInt8>],
        next: (RawSpan, inout Int) throws(Fault) -> Value?,
        describe: (Value) throws -> String
    ) throws -> [String] {
        var results: [String] = []
        var input: [UInt8] = []
        for piece in pieces {
            input += piece
            var consumed = 0
            while true {
                let value: Value?
                do {
                    value = try next(input.span.bytes, &consumed)
                } catch {
                    // Its reason may be found earlier in pieces.
                    return results + ["fault"]
                }
                guard let value else { break }
                results.append(try describe(value))
            }
            input.removeFirst(consumed)
        }
        return results
    }
}
