import Testing

@testable import HeliumServer

@Suite("JSON documents")
struct JSONTreeTests {
    @Test(
        "are written as they were read",
        arguments: [
            #"{"a":[1,-2.5,true,false,null,"x"],"b":{}}"#, #"["é","😀","\"\\\n"]"#, #"[9007199254740993]"#, "[1e+300]",
            "[\"\\u0001\"]",
        ]
    )
    func roundTrip(_ text: String) throws {
        let tree = try #require(JSONTree.parse(text))
        #expect(tree.text == text)
        #expect(JSONTree.parse(tree.text) == tree)
    }

    @Test(
        "other text is refused",
        arguments: [
            "", " ", "{", "name=x", "[1,]", #"{"a"}"#, #"{"a":1,}"#, "nul", "01", "1.", ".5", "+1", "1e", "-", "[1 2]",
            "[1]x", "\"a", "\"\n\"", #""\x""#, #""\u12g4""#, #""\u12"#, "{a:1}", "'a'", "NaN", "\u{FEFF}1",
        ]
    )
    func refuses(_ text: String) {
        #expect(JSONTree.parse(text) == nil)
    }

    @Test(
        "escapes, surrogate pairs and repeated names are read as JavaScript reads them",
        arguments: [
            (#""\u00C4\/\b\f\n\r\t""#, #""Ä/\u0008\u000c\n\r\t""#), (#""\ud83d\ude00""#, #""😀""#),
            (#""\ud83dx""#, "\"\u{FFFD}x\""), (#""\ud83d\u0041""#, "\"\u{FFFD}A\""), (#""\ude00""#, "\"\u{FFFD}\""),
            (#" { "a" : 1 , "b" : 2 , "a" : 3 } "#, #"{"a":3,"b":2}"#), ("-0", "0"), ("1E+2", "100.0"),
            ("12345678901234567890", "1.2345678901234567e+19"),
        ]
    )
    func reads(_ text: String, _ expected: String) {
        #expect(JSONTree.parse(text)?.text == expected)
    }

    @Test("nesting has a limit, and brackets in strings do not count")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(JSONTree.parse(nested(JSONTree.maximumDepth)) != nil)
        #expect(JSONTree.parse(nested(JSONTree.maximumDepth + 1)) == nil)
        #expect(JSONTree.parse(nested(100_000)) == nil)
        #expect(JSONTree.parse("[\"\\\"" + String(repeating: "[", count: 1000) + "\"]") != nil)
    }
}
