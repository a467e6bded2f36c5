import HeliumJSON
import TestSupport
import Testing

@Suite("Documents cut short, and at the edge of memory")
struct TruncationTests {
    @Test("there are sample documents to cut")
    func documents() {
        #expect(TestFiles.documents.count >= 8)
    }

    /// Each prefix lies before a page that may not be read.
    @Test("a prefix of a sample document is an error", .tags(.random), arguments: TestFiles.documents.map(\.name))
    func prefixes(name: String) throws {
        let document = try bytes(name)
        let memory = try #require(GuardedBytes(capacity: document.count))
        let decoder = HeliumJSONDecoder()
        let whole = try memory.with(document) { try decoder.decode(Everything.self, from: $0) }
        let end = document.count - document.reversed().prefix { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.count
        // In the quick form of a long document about 1,000 prefixes, and all near its end.
        let step = 1 + document.count / ProofLength.count(1000, full: .max)
        for count in 0..<document.count where count % step == 0 || count > document.count - 50 {
            let outcome = memory.with(document.prefix(count)) { bytes in
                Outcome { try decoder.decode(Everything.self, from: bytes) }
            }
            if count >= end {
                // Only space is missing.
                #expect(outcome.value == whole)
            } else if case .number = whole {
                // A number's beginning may be one.
                let text = String(decoding: document.prefix(count), as: UTF8.self)
                let isWhole = text.last?.isNumber == true
                #expect(outcome.value == (isWhole ? Double(text).map(Everything.number) : nil), "\(text)")
            } else {
                #expect(outcome.value == nil, "\(count) of \(document.count)")
            }
        }
    }

    /// Decodes types that request their members by name, whose containers read the text.
    @Test("the decoder reads nothing behind a document", arguments: TestFiles.documents.map(\.name))
    func edge(name: String) throws {
        let document = try bytes(name)
        let memory = try #require(GuardedBytes(capacity: document.count))
        let decoder = HeliumJSONDecoder()
        memory.with(document) { bytes in
            _ = try? decoder.decode(Names.self, from: bytes)
            _ = try? decoder.decode([Names].self, from: bytes)
            _ = try? decoder.decode([String: Names].self, from: bytes)
            _ = try? decoder.decode([Int].self, from: bytes)
            _ = try? decoder.decode([Float].self, from: bytes)
        }
    }

    @Test("the decoder reads no case of JSON beyond its end")
    func suite() throws {
        let longest = TestFiles.suite.map(\.bytes.count).max() ?? 0
        let memory = try #require(GuardedBytes(capacity: longest))
        let decoder = HeliumJSONDecoder()
        for (name, document) in TestFiles.suite {
            let value = memory.with(document) { try? decoder.decode(Anything.self, from: $0) }
            if name.hasPrefix("y_") { #expect(value != nil, "\(name)") }
            if name.hasPrefix("n_") { #expect(value == nil, "\(name)") }
        }
    }

    /// Decodes a text that ends with the memory.
    private func read(_ text: String) throws -> Everything? {
        let memory = try #require(GuardedBytes(capacity: 64))
        return memory.with(Array(text.utf8)) { try? HeliumJSONDecoder().decode(Everything.self, from: $0) }
    }

    @Test("a string that ends with the memory is decoded, and an incomplete one is an error", arguments: 0...33)
    func strings(length: Int) throws {
        let text = String(repeating: "a", count: length)
        #expect(try read("\"\(text)\"") == .string(text))
        #expect(try read("\"\(text)") == nil)
        #expect(try read("\"\(text)\\") == nil)
        for cut in [
            "\\u", "\\u0", "\\u00", "\\u004", "\\u0041", "\\ud83d", "\\ud83d\\", "\\ud83d\\u", "\\ud83d\\ude0",
        ] {
            #expect(try read("\"\(text)\(cut)") == nil)
        }
    }

    @Test("a number that ends with the memory is decoded, and an incomplete one is an error", arguments: 1...34)
    func numbers(length: Int) throws {
        let digits = String(repeating: "1", count: length)
        #expect(try read(digits) == .number(Double(digits) ?? .nan))
        #expect(try read("-\(digits).\(digits)") == .number(Double("-\(digits).\(digits)") ?? .nan))
        #expect(try read("\(digits).") == nil)
        #expect(try read("\(digits)e") == nil)
    }

    @Test("a literal that ends with the memory is decoded, and an incomplete one is an error")
    func literals() throws {
        for literal in ["true", "false", "null"] {
            #expect(try read(literal) != nil)
            for count in 0..<literal.utf8.count { #expect(try read(String(literal.prefix(count))) == nil) }
        }
        #expect(try read("") == nil)
    }

    @Test("an incomplete UTF-8 sequence at the end of the memory is an error")
    func characters() throws {
        let memory = try #require(GuardedBytes(capacity: 64))
        let decoder = HeliumJSONDecoder()
        for bytes: [UInt8] in [
            [0xC3], [0xE2, 0x82], [0xE2], [0xF0, 0x9F, 0x8E], [0xF0, 0x9F], [0xF0], [0xEF, 0xBB],
        ] {
            #expect(memory.with([0x22] + bytes) { try? decoder.decode(Anything.self, from: $0) } == nil)
            #expect(memory.with(bytes) { try? decoder.decode(Anything.self, from: $0) } == nil)
        }
    }

    @Test("a document without memory is an empty document")
    func nothing() {
        let error = #expect(throws: DecodingError.self) {
            try HeliumJSONDecoder().decode(Int.self, from: UnsafeRawBufferPointer(start: nil, count: 0))
        }
        #expect(error?.jsonLocation == JSONLocation(line: 1, column: 1, byteOffset: 0))
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        try #require(TestFiles.documents.first { $0.name == name }).bytes
    }

    /// Asks for names of every length.
    private struct Names: Decodable {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for length in 0...20 {
                _ = try? container.decode(Names.self, forKey: Key(stringValue: String(repeating: "n", count: length)))
            }
            for key in container.allKeys.reversed() {
                _ = try? container.decode(String.self, forKey: key)
                _ = try? container.decode(Double.self, forKey: key)
                _ = try? container.decode([Names].self, forKey: key)
                _ = try? container.decode(Names.self, forKey: key)
            }
        }
    }
}
