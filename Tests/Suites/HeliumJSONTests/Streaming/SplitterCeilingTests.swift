import HeliumJSON
import Testing

@Suite("Limits of splitting")
struct SplitterCeilingTests {
    @Test("an element has up to the maximum of bytes, in one chunk and in many", arguments: [100, 3, 1])
    func elementBytes(chunk: Int) {
        func splitting(_ ceiling: Int) -> Splitting {
            let text = "{\"a\":\"longer than any element\",\"data\":[1, [2,3] ,\"\",9]}"
            return Splitting(
                Array(text.utf8),
                at: ["data"],
                chunks: repeatElement(chunk, count: 100),
                maximumElementBytes: ceiling
            )
        }
        #expect(splitting(5).error == nil && splitting(5).elements == ["1", "[2,3]", "\"\"", "9"])
        let refused = splitting(4)
        #expect(refused.elements == ["1"] && refused.kind == .elementTooLong && refused.codingPath == ["data", "1"])
        #expect(refused.error?.reason == "an element is longer than 4 bytes (maximumElementBytes)")
        #expect(refused.error?.location == JSONLocation(line: 1, column: 43, byteOffset: 42))
    }

    @Test("an endless element is refused at the maximum")
    func endless() {
        var splitter = ElementSplitter(path: [], maximumDepth: 8, maximumElementBytes: 1000)
        let chunk = [UInt8](repeating: UInt8(ascii: " "), count: 100)
        var fed = 0
        let error = #expect(throws: ElementFault.self) {
            try feed(Array("[[".utf8), to: &splitter)
            while fed < 100_000 {
                try feed(chunk, to: &splitter)
                fed += 100
            }
        }
        #expect(error?.kind == .elementTooLong && fed == 900)
    }

    @Test("skipped values may have any length and are not kept")
    func skipped() throws {
        var splitter = ElementSplitter(path: ["data"], maximumDepth: 8, maximumElementBytes: 4)
        try feed(Array("{\"long\":\"".utf8), to: &splitter)
        for _ in 0..<1000 { try feed([UInt8](repeating: 0x61, count: 1000), to: &splitter) }
        try feed(Array("\",\"".utf8), to: &splitter)
        for _ in 0..<1000 { try feed([UInt8](repeating: 0x61, count: 1000), to: &splitter) }
        #expect(try feed(Array("\":[[1000]],\"data\":[1]}".utf8), to: &splitter) == ["1"])
        try splitter.finish()
    }

    @Test("nesting beyond the limit is refused, wherever it is", arguments: [100_000, 1])
    func depth(chunk: Int) {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for depth in [1, 63, 64, 65, 129] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
                let inner = nested(depth, open, close)
                let levels = depth * (open.first == "[" && open.count > 1 ? 2 : 1)
                for (document, outer) in [
                    ("{\"s\":\(inner),\"data\":[\(inner)]}", 2), ("{\"data\":[],\"s\":\(inner)}", 1),
                ] {
                    func splitting(_ maximum: Int) -> Splitting {
                        Splitting(
                            Array(document.utf8),
                            at: ["data"],
                            chunks: repeatElement(chunk, count: document.utf8.count),
                            maximumDepth: maximum
                        )
                    }
                    #expect(splitting(levels + outer).error == nil)
                    #expect(splitting(levels + outer - 1).error?.reason.contains("(maximumDepth)") == true)
                }
            }
        }
    }

    @Test("hostile nesting is refused at the limit")
    func hostile() {
        let document = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(Splitting(document).error?.location.byteOffset == 512)
        #expect(Splitting(document, chunks: repeatElement(1, count: 600)).error?.location.byteOffset == 512)
    }

    @discardableResult
    private func feed(_ chunk: [UInt8], to splitter: inout ElementSplitter) throws -> [String] {
        try chunk.withUnsafeBytes { bytes in
            var rest = bytes
            var elements: [String] = []
            while try splitter.next(in: &rest, { text, _ in elements.append(String(decoding: text, as: UTF8.self)) }) {}
            return elements
        }
    }
}
