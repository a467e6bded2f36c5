import HeliumJSON
import TestSupport
import Testing

@Suite("UTF-8 in strings")
struct UTF8Tests {
    /// Unicode 16, table 3-7: which bytes may follow each other.
    private static let wellFormed: [[ClosedRange<UInt8>]] = [
        [0x00...0x7F],
        [0xC2...0xDF, 0x80...0xBF],
        [0xE0...0xE0, 0xA0...0xBF, 0x80...0xBF],
        [0xE1...0xEC, 0x80...0xBF, 0x80...0xBF],
        [0xED...0xED, 0x80...0x9F, 0x80...0xBF],
        [0xEE...0xEF, 0x80...0xBF, 0x80...0xBF],
        [0xF0...0xF0, 0x90...0xBF, 0x80...0xBF, 0x80...0xBF],
        [0xF1...0xF3, 0x80...0xBF, 0x80...0xBF, 0x80...0xBF],
        [0xF4...0xF4, 0x80...0x8F, 0x80...0xBF, 0x80...0xBF],
    ]

    /// The borders of every range of the table, and their neighbours.
    private static let borders: [UInt8] = Set(
        wellFormed.flatMap { $0 }.flatMap { range in
            [range.lowerBound, range.upperBound, range.lowerBound &- 1, range.upperBound &+ 1]
        }
    ).sorted()

    /// No byte to three bytes that may follow a lead, all of them borders or others.
    private static let tails: [[UInt8]] = {
        let continuations = borders.filter { $0 >= 0x7F && $0 <= 0xC2 } + [0x41, 0xED, 0xFF]
        var tails: Set<[UInt8]> = [[]]
        for _ in 0..<3 { tails.formUnion(tails.flatMap { tail in continuations.map { tail + [$0] } }) }
        return tails.sorted { $0.lexicographicallyPrecedes($1) }
    }()

    private func isWellFormed(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let row = Self.wellFormed.first { row in
                row.count <= rest.count && zip(row, rest).allSatisfy { $0.contains($1) }
            }
            guard let row else { return false }
            rest = rest.dropFirst(row.count)
        }
        return true
    }

    /// Leads followed by up to three bytes, all of them borders; before some of them up to eight ASCII characters, as eight
    /// bytes are looked at together.
    @Test("exactly the well-formed sequences of UTF-8 are accepted", arguments: [UInt8](0x80...0xFF))
    func table(lead: UInt8) {
        let decoder = HeliumJSONDecoder()
        var random = SeededRandom(seed: UInt64(lead))
        var accepted = 0
        for tail in Self.tails {
            // Where the lead decides alone, some do.
            guard tail.count < 3 || lead >= 0xF0 && lead <= 0xF5 || random.oneIn(16) else { continue }
            let text = Array(repeating: UInt8(0x61), count: tail.count % 2 * random.below(9)) + [lead] + tail
            let value = try? decoder.decode(String.self, from: [0x22] + text + [0x22])
            let isRight = (value != nil) == isWellFormed(text) && value.map { $0.utf8.elementsEqual(text) } != false
            if !isRight { Issue.record("\(text)") }
            if value != nil { accepted += 1 }
        }
        #expect((accepted > 0) == (0xC2...0xF4 ~= lead))
    }

    @Test("invalid UTF-8 is an error at the sequence's first byte, also in names")
    func place() {
        let error = #expect(throws: DecodingError.self) {
            try HeliumJSONDecoder().decode(Anything.self, from: Array("[\"é".utf8) + [0xE2, 0x82] + Array("\"]".utf8))
        }
        #expect(error?.jsonLocation == JSONLocation(line: 1, column: 4, byteOffset: 4))
        let name = #expect(throws: DecodingError.self) {
            try HeliumJSONDecoder().decode(Anything.self, from: Array("{\"a".utf8) + [0xFF] + Array("\":1}".utf8))
        }
        #expect(name?.jsonLocation?.byteOffset == 3)
    }

    @Test("bytes beyond ASCII outside of strings are refused", arguments: [UInt8](0x80...0xFF))
    func outside(byte: UInt8) {
        for document in [[byte], [0x5B, byte, 0x5D], [0x31, byte], [0x5B, 0x31, byte, 0x5D]] {
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Anything.self, from: document) }
        }
    }

    @Test("UTF-16 and UTF-32, which Foundation accepts, are refused")
    func otherEncodings() {
        let text = "[\"a\"]"
        let utf16 = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] as [UInt8] }
        let utf32 = text.unicodeScalars.flatMap { [UInt8($0.value & 0xFF), 0, 0, 0] as [UInt8] }
        let documents: [[UInt8]] = [
            utf16, [0xFF, 0xFE] + utf16, utf16.reversed(), [0xFE, 0xFF] + utf16.reversed(), utf32,
        ]
        for document in documents {
            #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Anything.self, from: document) }
        }
    }
}
