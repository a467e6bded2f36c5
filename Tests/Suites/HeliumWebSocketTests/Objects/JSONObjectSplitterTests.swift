import NIOCore
import Testing

@testable import HeliumWebSocket

@Suite("Objects in a stream of bytes")
struct JSONObjectSplitterTests {
    @Test(
        "JSON objects are split by their braces, in any pieces",
        arguments: [
            ("{}", ["{}"]), ("{}{}", ["{}", "{}"]), ("{\"a\":1}\n{\"b\":2}\n", ["{\"a\":1}", "{\"b\":2}"]),
            (" \r\n\t{ \"a\" : { \"b\" : {} } }\n\n", ["{ \"a\" : { \"b\" : {} } }"]),
            ("{\n  \"a\": 1\n}\n\n{}", ["{\n  \"a\": 1\n}", "{}"]), ("{\"a\":\"}\"}{}", ["{\"a\":\"}\"}", "{}"]),
            ("{\"a\":\"\\\"}\"}{}", ["{\"a\":\"\\\"}\"}", "{}"]), ("{\"a\":\"\\\\\"}{}", ["{\"a\":\"\\\\\"}", "{}"]),
            ("{\"ä\":\"{ü\"}", ["{\"ä\":\"{ü\"}"]), ("{\"a\":[{},{}]}", ["{\"a\":[{},{}]}"]), ("{\"a\":", []),
            ("\n\n", []),
        ]
    )
    func split(text: String, objects: [String]) throws {
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var splitter = JSONObjectSplitter(maximumBytes: 100)
            var buffer = ByteBuffer()
            var found: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                buffer.writeBytes(bytes[start..<min(start + size, bytes.count)])
                while let object = try splitter.next(&buffer) { found.append(String(buffer: object)) }
                buffer.discardReadBytes()
            }
            #expect(found == objects, "pieces of \(size)")
        }
    }

    @Test("bytes that are no JSON object are an error", arguments: ["[", "1", "x{}", "{}]"])
    func violation(text: String) {
        var splitter = JSONObjectSplitter(maximumBytes: 100)
        var buffer = ByteBuffer(string: text)
        #expect(throws: ConnectionFault.self) {
            while try splitter.next(&buffer) != nil {}
        }
    }

    @Test("the white space between JSON objects is limited")
    func space() throws {
        var splitter = JSONObjectSplitter(maximumBytes: 100)
        let most = String(repeating: "\n", count: JSONObjectSplitter.maximumSpaceBytes)
        for _ in 0..<3 {
            var bytes = ByteBuffer(string: "\(most){}")
            #expect(try splitter.next(&bytes) != nil)
        }
        for piece in [most, " "] {
            var bytes = ByteBuffer(string: piece)
            if piece == most {
                #expect(try splitter.next(&bytes) == nil)
            } else {
                #expect(throws: ConnectionFault.self) { try splitter.next(&bytes) }
            }
        }
    }

    @Test(
        "the length of a JSON object is limited, complete or not",
        arguments: [("{\"a\":\"bcde\"}", 12), ("{\"a\":\"bcdefg", 12)]
    )
    func ceiling(text: String, limit: Int) throws {
        var buffer = ByteBuffer(string: text)
        var exact = JSONObjectSplitter(maximumBytes: text.utf8.count)
        _ = try exact.next(&buffer)
        buffer = ByteBuffer(string: text)
        var splitter = JSONObjectSplitter(maximumBytes: text.utf8.count - 1)
        #expect(throws: ConnectionFault.tooBig(.messageBytes, limit: text.utf8.count - 1)) {
            _ = try splitter.next(&buffer)
        }
    }
}
