import HeliumJSON
import Testing

@Suite("Splitting an array into elements")
struct ElementSplitterTests {
    @Test(
        "elements of an array are split unchanged, in chunks of any length",
        arguments: [
            ("[]", []), (" [ ] ", []), ("[1]", ["1"]), ("[1 , -2.5e+3,0]", ["1", "-2.5e+3", "0"]),
            ("\u{FEFF}[true,false,\nnull\t]\r\n", ["true", "false", "null"]),
            (
                "[\"\",\"a,]\",\"\\\"\\\\\",\"é☀️\\ud83d\\ude00\"]",
                ["\"\"", "\"a,]\"", "\"\\\"\\\\\"", "\"é☀️\\ud83d\\ude00\""]
            ),
            ("[[], [[1]],{},{\"a\":[{ }]}]", ["[]", "[[1]]", "{}", "{\"a\":[{ }]}"]),
        ] as [(String, [String])],
        [Int.max / 2, 7, 3, 2, 1]
    )
    func elements(_ document: (text: String, elements: [String]), chunk: Int) {
        let splitting = Splitting(document.text, chunk: chunk)
        #expect(splitting.elements == document.elements && splitting.error == nil)
    }

    @Test(
        "the array to split is found at its path, in chunks of any length",
        arguments: [
            ("{\"data\":[1,2]}", ["data"], ["1", "2"]),
            ("{\"a\":{\"data\":[0]},\"data\" : [1],\"z\":[[{}]]}", ["data"], ["1"]),
            ("{\"data\":[1],\"data\":[2],\"data\":3}", ["data"], ["1"]),
            ("{\"d\\u0061ta\":[1],\"data\":[2]}", ["data"], ["1"]),
            ("{\"dat\":[0],\"datas\":[0],\"\":[0],\"data\":[1]}", ["data"], ["1"]),
            (
                "{\"items\":[0],\"response\":{\"x\":{\"items\":[0]},\"items\":[1,[2]]},\"items\":0}",
                ["response", "items"], ["1", "[2]"]
            ),
            ("{\"\":{\"\":[1]}}", ["", ""], ["1"]), ("{\"é\\\"\":[1]}", ["é\""], ["1"]),
            ("{\"\\ud83d\\ude00\":[1]}", ["😀"], ["1"]), ("{\"a\":{\"a\":[]}}", ["a", "a"], []),
        ] as [(String, [String], [String])],
        [Int.max / 2, 5, 1]
    )
    func path(_ document: (text: String, path: [String], elements: [String]), chunk: Int) {
        let splitting = Splitting(document.text, at: document.path, chunk: chunk)
        #expect(splitting.elements == document.elements && splitting.error == nil)
    }

    @Test(
        "a path without an array is an error with the value's kind and position",
        arguments: [
            ("{}", ["data"], .missing, "line 1, column 1 (byte 0): no member \"data\"", []),
            ("{\"a\":1,\"Data\":[]}", ["data"], .missing, "line 1, column 1 (byte 0): no member \"data\"", []),
            (
                "{\"é\":0,\n \"a\":{\"c\":[]},\"a\":{\"b\":[]}}", ["a", "b"], .missing,
                "line 2, column 6 (byte 14): no member \"b\"", ["a"]
            ),
            ("{\"data\":null}", ["data"], .mismatch, "line 1, column 9 (byte 8): found null", ["data"]),
            ("{\"data\":{}}", ["data"], .mismatch, "line 1, column 9 (byte 8): found an object", ["data"]),
            ("{\"a\":[]}", ["a", "b"], .mismatch, "line 1, column 6 (byte 5): found an array", ["a"]),
            ("{\"a\":true}", ["a", "b"], .mismatch, "line 1, column 6 (byte 5): found a boolean", ["a"]),
            (" \"[]\"", [], .mismatch, "line 1, column 2 (byte 1): found a string", []),
            ("12", [], .mismatch, "line 1, column 1 (byte 0): found a number", []),
            ("[]", ["data"], .mismatch, "line 1, column 1 (byte 0): found an array", []),
            ("", ["data"], .empty, "line 1, column 1 (byte 0): the document is empty", []),
            (" \n", [], .empty, "line 2, column 1 (byte 2): the document is empty", []),
        ] as [(String, [String], ElementFault.Kind, String, [String])],
        [Int.max / 2, 1]
    )
    func noArray(
        _ document: (text: String, path: [String], kind: ElementFault.Kind, error: String, codingPath: [String]),
        chunk: Int
    ) {
        let splitting = Splitting(document.text, at: document.path, chunk: chunk)
        #expect(splitting.elements == [] && splitting.kind == document.kind)
        #expect(splitting.error?.description == document.error && splitting.codingPath == document.codingPath)
    }

    @Test(
        "invalid JSON around the array is an error, after the elements before it",
        arguments: [
            ("{\"a\":01,\"data\":[1]}", 0, 5), ("{\"a\" 1,\"data\":[1]}", 0, 5), ("{\"a\":\"\\x\",\"data\":[1]}", 0, 6),
            ("{\"data\":[1],}", 1, 12), ("{\"data\":[1],\"b\":tru}", 1, 16), ("{\"data\":[1]}{}", 1, 12),
            ("{\"data\":[1]]", 1, 11), ("{\"data\":[1,]}", 1, 11), ("{\"data\":[1 2]}", 1, 11),
            ("{\"data\":[1}", 1, 10),
            ("{\"data\":[1],\"b\":\"\u{1}\"}", 1, 17), ("{\"data\":[1],\"data\":[1,,]}", 1, 22),
        ] as [(String, Int, Int)],
        [Int.max / 2, 1]
    )
    func around(_ document: (text: String, elements: Int, byte: Int), chunk: Int) {
        let splitting = Splitting(document.text, at: ["data"], chunk: chunk)
        #expect(splitting.elements.count == document.elements && splitting.kind == .invalid)
        #expect(splitting.error?.location.byteOffset == document.byte)
        #expect(splitting.error == parserError(Array(document.text.utf8)))
    }

    @Test("each element has the position of its first byte in the stream", arguments: [Int.max / 2, 4, 1])
    func places(chunk: Int) {
        let text = "{\"ü\":\"☀️\",\n \"data\": [\"é\", 1,\n\n  {\"a\":\n2}, [] ]}"
        let splitting = Splitting(text, at: ["data"], chunk: chunk)
        #expect(splitting.elements == ["\"é\"", "1", "{\"a\":\n2}", "[]"])
        #expect(splitting.places.map { [$0.line, $0.column] } == [[2, 11], [2, 16], [4, 3], [5, 5]])
        let bytes = Array(text.utf8)
        for (place, element) in zip(splitting.places, splitting.elements) {
            #expect(bytes[place.byteOffset...].starts(with: element.utf8))
        }
    }

    @Test("every truncated array has the parser's error")
    func truncations() {
        let text = " [0, -1.50E+2,\"a\\n\\ud83d\\ude00é☀😀\", true, [false, {\"k\":null, \"l\" : {}}], \"\u{7f}\"] "
        for document in [text, "\u{FEFF}" + text].map({ Array($0.utf8) }) {
            let whole = Splitting(document)
            #expect(whole.error == nil && whole.elements.count == 6)
            let end = (document.lastIndex(of: UInt8(ascii: "]")) ?? 0) + 1
            for length in 0..<end {
                let part = Array(document[..<length])
                let splitting = Splitting(part, chunks: repeatElement(length % 3 + 1, count: length))
                #expect(splitting.error != nil && splitting.error == parserError(part), "\(length) bytes")
                #expect(whole.elements.starts(with: splitting.elements))
            }
        }
    }
}
