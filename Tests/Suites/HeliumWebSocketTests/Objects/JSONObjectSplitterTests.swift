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
            var found: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try split(bytes[start..<min(start + size, bytes.count)], by: &splitter)
            }
            #expect(found == objects, "pieces of \(size)")
        }
    }

    /// The objects that end within the bytes, all of which the splitter takes.
    private func split(_ bytes: some Collection<UInt8>, by splitter: inout JSONObjectSplitter) throws -> [String] {
        var found: [String] = []
        try Array(bytes).withUnsafeBytes { bytes in
            var consumed = 0
            while let object = try splitter.next(bytes.bytes, consumed: &consumed) { found.append(object) }
            #expect(consumed == bytes.count)
        }
        return found
    }

    @Test("an object that is not UTF-8 is an error, in any pieces", arguments: [1, 2, 3, 9])
    func invalidText(size: Int) {
        let bytes: [UInt8] = Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        var splitter = JSONObjectSplitter(maximumBytes: 100)
        #expect(throws: ConnectionFault.invalidText("an object")) {
            for start in stride(from: 0, to: bytes.count, by: size) {
                _ = try split(bytes[start..<min(start + size, bytes.count)], by: &splitter)
            }
        }
    }

    @Test("bytes that are no JSON object are an error", arguments: ["[", "1", "x{}", "{}]"])
    func violation(text: String) {
        var splitter = JSONObjectSplitter(maximumBytes: 100)
        #expect(throws: ConnectionFault.self) { try split(text.utf8, by: &splitter) }
    }

    @Test("the white space between JSON objects is limited")
    func space() throws {
        var splitter = JSONObjectSplitter(maximumBytes: 100)
        let most = String(repeating: "\n", count: JSONObjectSplitter.maximumSpaceBytes)
        for _ in 0..<3 {
            #expect(try split("\(most){}".utf8, by: &splitter) == ["{}"])
        }
        #expect(try split(most.utf8, by: &splitter) == [])
        #expect(throws: ConnectionFault.self) { try split(" ".utf8, by: &splitter) }
    }

    @Test(
        "the length of a JSON object is limited, complete or not",
        arguments: [("{\"a\":\"bcde\"}", 12), ("{\"a\":\"bcdefg", 12)]
    )
    func ceiling(text: String, limit: Int) throws {
        for size in [1, 5, text.utf8.count] {
            let bytes = Array(text.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            var exact = JSONObjectSplitter(maximumBytes: bytes.count)
            for piece in pieces { _ = try split(piece, by: &exact) }
            var splitter = JSONObjectSplitter(maximumBytes: bytes.count - 1)
            #expect(throws: ConnectionFault.tooBig(.messageBytes, limit: bytes.count - 1)) {
                for piece in pieces { _ = try split(piece, by: &splitter) }
            }
        }
    }
}
