import TestSupport
import Testing

@testable import HeliumJSON

@Suite("The parser of documents without faults")
struct ValidDocumentTests {
    private func words(_ tape: (words: UnsafeMutablePointer<UInt64>, count: Int)) -> [UInt64] {
        defer { tape.words.deallocate() }
        return Array(UnsafeBufferPointer(start: tape.words, count: tape.count))
    }

    /// Returns the tapes of both parsers.
    private func tapes(
        _ document: some Collection<UInt8>,
        _ limits: JSONLimits = JSONLimits()
    ) -> (valid: [UInt64]?, reporting: [UInt64]?) {
        Array(document).withUnsafeBufferPointer { bytes in
            (
                JSONParser.parseValid(bytes, limits: limits).map { words($0) },
                (try? JSONParser.parseReporting(bytes, limits: limits)).map { words($0) }
            )
        }
    }

    private func isContainer(_ document: [UInt8]) -> Bool {
        let first = document.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    @Test("both parsers create the same tape of every sample document, and of every case of JSON")
    func samples() {
        for (name, document) in TestFiles.documents + TestFiles.suite {
            let (valid, reporting) = tapes(document)
            #expect(valid == (isContainer(document) ? reporting : nil), "\(name)")
        }
    }

    @Test("both parsers accept the same random documents", .tags(.random), arguments: ProofLength.seeds(20))
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let space = RandomText.space(&random)
        var document = Array((space + RandomText.value(&random, depth: 4) + space).utf8)
        for round in 0..<20 {
            if round > 0 { RandomText.damage(&document, &random) }
            let (valid, reporting) = tapes(document)
            #expect(valid == (isContainer(document) ? reporting : nil), "\(String(decoding: document, as: UTF8.self))")
        }
    }

    @Test("both parsers accept the same documents at a limit")
    func limits() {
        let document = Array(#"{"name":[1,{"é":[[],{}]}],"other":"text"}"#.utf8)
        var accepted = 0
        for limit in 0..<20 {
            let (valid, reporting) = tapes(document, JSONLimits(maximumDepth: limit))
            #expect(valid == reporting)
            // It may leave a document at this limit to the other parser, but accepts no other document.
            let few = tapes(document, JSONLimits(maximumValues: limit))
            #expect(few.valid == nil || few.valid == few.reporting)
            if few.valid != nil { accepted += 1 }
        }
        #expect(accepted > 0)
    }

    @Test("a name that may have too many marks is left to the other parser", arguments: [511, 512, 513])
    func longName(count: Int) {
        let document = Array("{\"\(String(repeating: "a", count: count))\":1}".utf8)
        let (valid, reporting) = tapes(document)
        #expect(reporting?.count == 3)
        #expect(valid == (count <= 512 ? reporting : nil))
    }

    @Test("the special byte of a string that comes first is found", arguments: 0..<8)
    func specialBytes(place: Int) {
        let special = (0..<256).filter { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C || $0 >= 0x80 }
        for byte in 0..<256 {
            // The bytes above it are special or not, in ways for which a difference borrows.
            for other in [0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x61, 0x7F, 0x80, 0xFF] {
                var word: UInt64 = 0
                for index in (0..<8).reversed() {
                    let value = index < place ? 0x61 : index == place ? byte : other
                    word = word << 8 | UInt64(value)
                }
                let expected = special.contains(byte) ? place : special.contains(other) && place < 7 ? place + 1 : 8
                #expect(ByteScanner.specialBytes(in: word).trailingZeroBitCount / 8 == expected, "\(byte), \(other)")
            }
        }
    }
}
