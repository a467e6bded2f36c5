import Foundation
import HeliumCrypto
import TestSupport
import Testing

@testable import HeliumKit

/// The rule of middleware.md §1.4 written down plainly, to check the fast form against.
enum ReferenceLowercasing {
    static func lowercase(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            guard scalar == "Σ" else {
                result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
                continue
            }
            let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
            let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
            let isFinal = before?.properties.isCased == true && after?.properties.isCased != true
            result.append(isFinal ? "ς" : "σ")
        }
        return String(result)
    }
}

@Suite("Lower-casing of UTF-8")
struct LowercasedUTF8Tests {
    @Test(
        "the lower-cased hash is that of the reference server",
        arguments: SignatureFixture.shared.lowercased.map(\.text)
    )
    func knownAnswer(text: String) throws {
        let known = try #require(SignatureFixture.shared.lowercased.first { $0.text.utf8.elementsEqual(text.utf8) })
        let lowered = lowercase(Array(text.utf8))
        #expect(lowered == Array(known.lowercase.utf8))
        #expect(SHA256.hash(lowered).hex == known.sha256)
    }

    /// In the quick form the planes that have letters with case, and one scalar of 1,000 of the others.
    @Test("every scalar is lower-cased by the Unicode data of the standard library", .tags(.random))
    func everyScalar() {
        for value in UInt32(0)...0x10ffff
        where value < 0x20000 || value % 1000 == 0 || ProofLength.duration != nil {
            guard let scalar = Unicode.Scalar(value), scalar != "Σ" else { continue }
            let expected = Array(scalar.properties.lowercaseMapping.utf8)
            let lowered = lowercase(Array(String(scalar).utf8))
            if lowered != expected { Issue.record("U+\(String(value, radix: 16)) is mapped wrongly") }
        }
    }

    @Test("random texts are lower-cased as by the plain form of the rule", .tags(.random))
    func randomTexts() {
        var random = ProofLength.random(seed: 0x5eed)
        let pieces: [[UInt8]] =
            ["Σ", "ς", "A", "z", "'", ".", ":", "\u{301}", "\u{ad}", "1", " ", "İ", "Ä", "漢", "𐐀", "ﬃ", "🙂", "ΟΔΟΣ"]
            .map { Array($0.utf8) } + [
                [0x80], [0xe2, 0x82], [0xff], [0xf0, 0x9f], [0xed, 0xa0, 0x80], [0xc0, 0x80],
            ]
        for _ in ProofLength.rounds(2000) {
            let bytes = (0..<Int.random(in: 0...12, using: &random))
                .flatMap { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
            let expected = Array(ReferenceLowercasing.lowercase(String(decoding: bytes, as: UTF8.self)).utf8)
            if lowercase(bytes) != expected { Issue.record("differs for \(bytes)") }
        }
    }

    @Test("random bytes are repaired as by String", .tags(.random))
    func randomBytes() {
        var random = ProofLength.random(seed: 0xbad)
        for _ in ProofLength.rounds(2000) {
            let bytes = (0..<Int.random(in: 0...16, using: &random)).map { _ in
                UInt8.random(in: 0x60...0xff, using: &random)
            }
            let expected = Array(ReferenceLowercasing.lowercase(String(decoding: bytes, as: UTF8.self)).utf8)
            if lowercase(bytes) != expected { Issue.record("differs for \(bytes)") }
        }
    }

    @Test("an upper-case letter is found at every position of a word", arguments: 0..<24)
    func asciiWord(position: Int) {
        for byte in UInt8(0)...0x7f {
            var bytes = [UInt8](repeating: 0x7f, count: 24)
            bytes[position] = byte
            var expected = bytes
            if (0x41...0x5a).contains(byte) { expected[position] = byte + 0x20 }
            #expect(bytes.withUnsafeMutableBytes { LowercasedUTF8.lowercaseASCII($0) })
            #expect(bytes == expected)
        }
        var bytes = [UInt8](repeating: 0x41, count: 24)
        bytes[position] = 0x80
        #expect(!bytes.withUnsafeMutableBytes { LowercasedUTF8.lowercaseASCII($0) })
    }

    @Test("sigmas among ignorable scalars are lower-cased in linear time", .timeLimit(.minutes(5)))
    func manySigmas() {
        let text = "a" + String(repeating: "Σ" + String(repeating: "'", count: 500), count: 400)
        #expect(lowercase(Array(text.utf8)).count == text.utf8.count)
    }

    private func lowercase(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        bytes.withUnsafeBytes { source in LowercasedUTF8.forEachChunk(of: source) { result.append(contentsOf: $0) } }
        return result
    }
}
