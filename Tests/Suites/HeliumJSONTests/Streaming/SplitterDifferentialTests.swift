import Foundation
import HeliumJSON
import TestSupport
import Testing

/// Compares the results of the splitter with those of the parser, which has the whole document.
@Suite("Splitter of JSON arrays, compared with the parser")
struct SplitterDifferentialTests {
    @Test("the splitter finds the parser's error in each array of the cases, also byte by byte")
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
        #expect(arrays > (TestFiles.originalSuite.isEmpty ? 50 : 150))
    }

    @Test("the splitter finds the parser's error in each case inside an array and in a skipped member")
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

    @Test(
        "the splitter finds the elements of random documents that are cut at random places",
        .tags(.random),
        arguments: [1, 2, 3, 4] as [UInt64]
    )
    func random(seed: UInt64) {
        var random = ProofLength.random(seed: seed)
        for _ in ProofLength.rounds(20) {
            let elements = (0..<random.below(12)).map { _ in RandomText.value(&random, depth: 4) }
            var array = "[" + RandomText.space(&random)
            for (index, element) in elements.enumerated() {
                array += (index > 0 ? "," + RandomText.space(&random) : "") + element + RandomText.space(&random)
            }
            array += "]"
            let isInObject = random.oneIn(2)
            let document =
                isInObject
                ? "{\"x\":\(RandomText.value(&random, depth: 3)),\"a\" :\(RandomText.space(&random)){\"b\":\(array)},\"a\":0}"
                : array
            let bytes = Array((RandomText.space(&random) + document + RandomText.space(&random)).utf8)
            #expect(parserError(bytes) == nil)
            for longest in [1, 2, 9, 40] {
                let cuts = (0..<bytes.count).map { _ in 1 + random.below(longest) }
                let splitting = Splitting(bytes, at: isInObject ? ["a", "b"] : [], chunks: cuts)
                #expect(splitting.error == nil && splitting.elements == elements)
            }
        }
    }

    @Test(
        "the splitter finds the parser's error in randomly damaged documents",
        .tags(.random),
        arguments: [5, 6, 7, 8] as [UInt64]
    )
    func damaged(seed: UInt64) {
        var random = ProofLength.random(seed: seed)
        var (count, refused) = (0, 0)
        for _ in ProofLength.rounds(100) {
            count += 1
            let elements = (0..<4).map { _ in RandomText.value(&random, depth: 3) }
            var bytes = Array("[\(elements.joined(separator: ","))]".utf8)
            for _ in 0..<(1 + random.below(3)) { RandomText.damage(&bytes, &random) }
            guard bytes.first == UInt8(ascii: "[") else { continue }
            let expected = parserError(bytes)
            if expected != nil { refused += 1 }
            let cuts = (0..<bytes.count).map { _ in 1 + random.below(20) }
            #expect(Splitting(bytes, chunks: cuts).error == expected)
            #expect(Splitting(bytes).error == expected)
        }
        #expect(refused > count / 4)
    }

    private static func isArray(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    }
}
