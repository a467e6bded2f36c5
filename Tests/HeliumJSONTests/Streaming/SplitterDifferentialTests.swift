import Foundation
import HeliumJSON
import Testing

/// What the splitter says held against what the parser says that has the document as a whole.
@Suite("Splitting and parsing agree")
struct SplitterDifferentialTests {
    @Test("on the test suite's arrays, as they stand and byte by byte", .enabled(if: !TestFiles.suite.isEmpty))
    func suite() {
        var arrays = 0
        for (name, bytes) in TestFiles.suite where Self.isArray(bytes) {
            arrays += 1
            let expected = parserError(bytes)
            for chunk in [bytes.count + 1, 1] {
                let splitting = Splitting(bytes, chunks: repeatElement(chunk, count: bytes.count))
                #expect(splitting.error == expected, "\(name) in chunks of \(chunk)")
            }
        }
        #expect(arrays > 100)
    }

    @Test("on the test suite's cases as elements and as skipped members", .enabled(if: !TestFiles.suite.isEmpty))
    func wrappedSuite() {
        for (name, bytes) in TestFiles.suite where bytes.count < 10_000 {
            for (before, after) in [
                ("[", "]"), ("[0,", ",1]"), ("{\"s\":", ",\"data\":[]}"), ("{\"data\":[],\"s\":[", "]}"),
            ] {
                let document = Array(before.utf8) + bytes + Array(after.utf8)
                let path = before.hasPrefix("[") ? [] : ["data"]
                let expected = parserError(document)
                for chunk in [document.count, 1] {
                    let splitting = Splitting(document, at: path, chunks: repeatElement(chunk, count: document.count))
                    // A case may close what it stands in: then the array is missed before anything is wrong.
                    if splitting.kind == .missing { continue }
                    #expect(splitting.error == expected, "\(before)\(name)\(after) in chunks of \(chunk)")
                }
            }
        }
    }

    @Test("random documents cut at random places give their elements", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let elements = (0..<random.below(12)).map { _ in RandomDocument.value(&random, depth: 4) }
            let space = { (random: inout SeededRandom) in RandomDocument.space(&random) }
            var array = "[" + space(&random)
            for (index, element) in elements.enumerated() {
                array += (index > 0 ? "," + space(&random) : "") + element + space(&random)
            }
            array += "]"
            let isInObject = random.oneIn(2)
            let document =
                isInObject
                ? "{\"x\":\(RandomDocument.value(&random, depth: 3)),\"a\" :\(space(&random)){\"b\":\(array)},\"a\":0}"
                : array
            let bytes = Array((space(&random) + document + space(&random)).utf8)
            #expect(parserError(bytes) == nil)
            for longest in [1, 2, 9, 40] {
                let cuts = (0..<bytes.count).map { _ in 1 + random.below(longest) }
                let splitting = Splitting(bytes, at: isInObject ? ["a", "b"] : [], chunks: cuts)
                #expect(splitting.error == nil && splitting.elements == elements)
            }
        }
    }

    @Test("random damage has the same verdict, reason and place", arguments: [5, 6, 7, 8] as [UInt64])
    func damaged(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var refused = 0
        for _ in 0..<700 {
            let elements = (0..<4).map { _ in RandomDocument.value(&random, depth: 3) }
            var bytes = Array("[\(elements.joined(separator: ","))]".utf8)
            for _ in 0..<(1 + random.below(3)) { RandomDocument.damage(&bytes, &random) }
            guard bytes.first == UInt8(ascii: "[") else { continue }
            let expected = parserError(bytes)
            if expected != nil { refused += 1 }
            let cuts = (0..<bytes.count).map { _ in 1 + random.below(20) }
            #expect(Splitting(bytes, chunks: cuts).error == expected)
            #expect(Splitting(bytes).error == expected)
        }
        #expect(refused > 200)
    }

    private static func isArray(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    }
}

/// Documents by chance.
enum RandomDocument {
    static func value(_ random: inout SeededRandom, depth: Int) -> String {
        switch random.below(depth > 0 ? 8 : 5) {
        case 0: return random.pick(["true", "false", "null"])
        case 1: return random.pick(["0", "-1", "12345678901234567890", "1.5", "-0.25e-10", "3E+7", "0e0", "6.02e23"])
        case 2, 3: return string(&random)
        case 4: return random.pick(["[]", "{}", "[ ]", "{ }", "\"\""])
        case 5, 6:
            let members = (0..<random.below(5)).map { _ in
                string(&random) + space(&random) + ":" + space(&random) + value(&random, depth: depth - 1)
            }
            return "{" + space(&random) + members.joined(separator: space(&random) + ",") + "}"
        default:
            let elements = (0..<random.below(5)).map { _ in value(&random, depth: depth - 1) + space(&random) }
            return "[" + elements.joined(separator: ",") + "]"
        }
    }

    static func space(_ random: inout SeededRandom) -> String {
        random.pick(["", "", "", " ", "\n", "\r\n\t", "   "])
    }

    private static func string(_ random: inout SeededRandom) -> String {
        let parts = [
            "a", "data", "plain text that is longer than eight bytes", "é", "☀️", "😀", "\\n", "\\\"", "\\\\", "\\u00e9",
            "\\ud83d\\ude00", "]", "}", ",", ":", "\u{7F}",
        ]
        return "\"" + (0..<random.below(5)).map { _ in random.pick(parts) }.joined() + "\""
    }

    /// Changes, drops or adds a byte.
    static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        let byte = random.pick(
            Array("\"\\[]{}:,-+.eE019tfnu /\n\t".utf8) + [0x00, 0x1F, 0x80, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        )
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = byte
        case 1: bytes.remove(at: place)
        default: bytes.insert(byte, at: place)
        }
        if bytes.isEmpty { bytes = [byte] }
    }
}
