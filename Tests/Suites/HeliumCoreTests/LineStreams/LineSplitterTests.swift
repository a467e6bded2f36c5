import FuzzSupport
import HeliumCore
import TestSupport
import Testing

@Suite("Line splitter", .timeLimit(.minutes(5)))
struct LineSplitterTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let lines: [String]
        var isRefused = false
        var testDescription: String { text.debugDescription }
    }

    private static let feedSamples = [
        Sample(text: "", lines: []),
        Sample(text: "\n", lines: [""]),
        Sample(text: "a", lines: ["a"]),
        Sample(text: "a\n", lines: ["a"]),
        Sample(text: "a\nb", lines: ["a", "b"]),
        Sample(text: "a\r\nb\r\n", lines: ["a", "b"]),
        Sample(text: "a\r\r\nb", lines: ["a\r", "b"]),
        Sample(text: "a\rb\n", lines: ["a\rb"]),
        Sample(text: "\n\n\r\n", lines: ["", "", ""]),
        Sample(text: "a\r", lines: ["a\r"]),
        Sample(text: "äöü\n€\n", lines: ["äöü", "€"]),
        Sample(text: "12345678\r\n12345678\n12345678", lines: ["12345678", "12345678", "12345678"]),
        Sample(text: "ok\n123456789\nlater\n", lines: ["ok"], isRefused: true),
        Sample(text: "ok\n123456789", lines: ["ok"], isRefused: true),
        Sample(text: "12345678\r", lines: [], isRefused: true),
        Sample(text: "12345678\rx\n", lines: [], isRefused: true),
    ]

    private static let allSamples = [
        Sample(text: "", lines: []),
        Sample(text: "\r", lines: [""]),
        Sample(text: "\r\n", lines: [""]),
        Sample(text: "\n\r", lines: ["", ""]),
        Sample(text: "a\rb\nc\r\nd", lines: ["a", "b", "c", "d"]),
        Sample(text: "a\r\r\nb", lines: ["a", "", "b"]),
        Sample(text: "a\n\nb\r\rc\r\n\r\n", lines: ["a", "", "b", "", "c", ""]),
        Sample(text: "12345678\r12345678\r\n12345678\n", lines: ["12345678", "12345678", "12345678"]),
        Sample(text: "a\r123456789\r", lines: ["a"], isRefused: true),
    ]

    @Test("lines end at LF and CR LF, wherever chunks are cut", arguments: feedSamples)
    func lineFeeds(sample: Sample) { check(sample, .lineFeeds) }

    @Test("lines end at LF, CR LF and CR, wherever chunks are cut", arguments: allSamples)
    func allEnds(sample: Sample) { check(sample, .all) }

    private func check(_ sample: Sample, _ ends: LineSplitter.LineEnds) {
        let bytes = Array(sample.text.utf8)
        let expected = LineStreamFuzz.Lines(lines: sample.lines.map { Array($0.utf8) }, isRefused: sample.isRefused)
        #expect(LineStreamFuzz.lines(in: [bytes], ends, limit: 8) == expected)
        #expect(LineStreamFuzz.lines(in: LineStreamFuzz.chunks(of: bytes, 1), ends, limit: 8) == expected)
        for cut in 0...bytes.count {
            let chunks = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(LineStreamFuzz.lines(in: chunks, ends, limit: 8) == expected, "cut at \(cut)")
        }
    }

    @Test("a CR ends a line at once, also if the stream pauses")
    func promptCarriageReturn() throws {
        var splitter = LineSplitter(ends: .all, limit: 10)
        splitter.append(Array("a\r".utf8))
        #expect(try splitter.next({ Array($0) }) == Array("a".utf8))
        splitter.append(Array("\nb\n".utf8))
        #expect(try splitter.next({ Array($0) }) == Array("b".utf8))
    }

    @Test("a line beyond its limit is an error before its end arrives")
    func ceiling() throws {
        var splitter = LineSplitter(ends: .lineFeeds, limit: 4)
        splitter.append(Array("1234".utf8))
        #expect(try splitter.next({ $0.count }) == nil)
        splitter.append(Array("5".utf8))
        for _ in 1...2 {
            #expect(throws: LineTooLong(limit: 4)) { try splitter.next { $0.count } }
        }
    }

    // With a scan from the line's beginning for each chunk, this would look at 2^43 bytes and not end in its time.
    @Test(
        "a long line in small chunks costs no more than its bytes",
        arguments: [LineSplitter.LineEnds.lineFeeds, .all]
    )
    func linearTime(ends: LineSplitter.LineEnds) throws {
        var splitter = LineSplitter(ends: ends, limit: 1 << 26)
        let chunk = [UInt8](repeating: 120, count: 256)
        for _ in 0..<(1 << 18) {
            splitter.append(chunk)
            if try splitter.next({ $0.count }) != nil { Issue.record("a line without an end") }
        }
        splitter.append([10])
        #expect(try splitter.next({ $0.count }) == 1 << 26)
    }

    @Test("many short lines without the other line end cost no more than their bytes")
    func rareEnd() throws {
        var splitter = LineSplitter(ends: .all, limit: 10)
        splitter.append([UInt8](repeating: 10, count: 1 << 21) + [13])
        var count = 0
        while try splitter.next({ _ in }) != nil { count += 1 }
        #expect(count == (1 << 21) + 1)
    }

    @Test("random inputs have the same lines for any chunks", .tags(.random))
    func random() async throws {
        var input = FuzzInput(seed: ProofLength.seed(8), pieces: LineStreamFuzz.linePieces)
        for number in ProofLength.rounds(2000) {
            // Others wait for the few threads that there are.
            if number.isMultiple(of: 500) { await Task.yield() }
            try LineStreamFuzz.lines(input.next())
        }
    }
}
