import Foundation
import HeliumJSON
import TestSupport
import Testing

@Suite("Elements that are nested too deep")
struct DeepElementTests {
    /// Replaces elements deeper than three levels of the document by their number.
    private func replaced(_ document: String, at paths: [[String]] = [[]], maximumDepth: Int = 3) -> String? {
        var count = 0
        let data = DeepElements.replaced(in: Data(document.utf8), at: paths, maximumDepth: maximumDepth) { _ in
            count += 1
            return .number(JSONNumber(count))
        }
        return data.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "each of them is replaced, and the rest of the document is unchanged",
        arguments: [
            ("[[[[]]]]", "[1]"), (" [ 1 , {\"a\":[{}]} , [[]] ] ", " [ 1 , 1 , [[]] ] "),
            ("[[[[1]],2],[[3]],[{\"a\":[4]}],\"[[[[\"]", "[1,[[3]],2,\"[[[[\"]"),
            (#"["a",{"]\"":"}\\","b":[[0]]},"[[["]"#, #"["a",1,"[[["]"#),
            (#"[[["[[["]],[[["\\",[]]]]]"#, #"[[["[[["]],1]"#),
            ("\u{FEFF}[[[[]]]]\n", "\u{FEFF}[1]\n"),
        ]
    )
    func replaced(document: String, expected: String) throws {
        #expect(replaced(document) == expected)
        // What is left is valid, and has nothing more to replace.
        #expect(replaced(expected) == nil)
        #expect(throws: Never.self) { try JSONValue(parsing: expected, limits: JSONLimits(maximumDepth: 3)) }
    }

    @Test("the list is found at the first path that leads to an array")
    func paths() {
        let document = #"{"meta":[[[0]]],"list":{"data":[[[]],[]]},"data":[[[[]]]]}"#
        #expect(replaced(document, at: [["data"]]) == #"{"meta":[[[0]]],"list":{"data":[[[]],[]]},"data":[1]}"#)
        #expect(
            replaced(document, at: [[], ["none"], ["list"], ["list", "data"], ["data"]])
                == #"{"meta":[[[0]]],"list":{"data":[1,2]},"data":[[[[]]]]}"#
        )
        #expect(replaced(document, at: [["meta", "a"], ["none"]]) == nil)
        #expect(replaced(document, at: []) == nil)
    }

    @Test(
        "a document without such elements, or with another fault, is left alone",
        arguments: [
            "", "1", "[]", "[[[]]]", "[[[[]]]", "[[[[]]]],", #"[[[["\x"]]]]"#, "[[[[01]]]]", #"{"a":[[[[]]]]}"#,
        ]
    )
    func unchanged(document: String) { #expect(replaced(document) == nil) }

    @Test("hundreds of thousands of brackets use no stack, and many elements take linear time")
    func long() throws {
        let (open, close) = (String(repeating: "[", count: 200_000), String(repeating: "]", count: 200_000))
        #expect(replaced("[{\"a\":\(open)\(close)},2]") == "[1,2]")
        #expect(replaced("[\(open)") == nil)
        let elements = (1...50_000).map { _ in "[[[]]]" }.joined(separator: ",")
        let numbers = (1...50_000).map { "\($0)" }.joined(separator: ",")
        #expect(replaced("[\(elements)]") == "[\(numbers)]")
    }

    @Test("the replacement has the element", arguments: [512, 2])
    func element(maximumDepth: Int) throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let document = Data(#"[{"deep":\#(deep),"id":7}]"#.utf8)
        let data = DeepElements.replaced(in: document, at: [[]], maximumDepth: maximumDepth) { element in
            var id: Int64?
            try? element.forEachMember { name, value in if "id" ~= name { id = try value.read() } }
            return [.number(JSONNumber(id ?? 0))]
        }
        #expect(data == Data("[[7]]".utf8))
    }
}
