import HeliumJSON
import HeliumServer
import Testing

@testable import HeliumServerKit

@Suite("JSON documents of the server")
struct JSONDocumentTests {
    @Test(
        "a JSON document of the server is equal after writing and reading",
        arguments: [
            #"{"a":[1,-2.5,true,false,null,"x"],"b":{}}"#, #"["é","😀","\"\\\n"]"#, #"[9007199254740993]"#, "[1e+300]",
            "[\"\\u0001\"]",
        ]
    )
    func roundTrip(_ text: String) throws {
        let value = try #require(JSONValue.parse(text))
        #expect(value.text() == text)
        #expect(JSONValue.parse(value.text()) == value)
    }

    @Test(
        "text that is not JSON is refused by the server",
        arguments: [
            "", " ", "{", "name=x", "[1,]", #"{"a"}"#, #"{"a":1,}"#, "nul", "01", "1.", ".5", "+1", "1e", "-", "[1 2]",
            "[1]x", "\"a", "\"\n\"", #""\x""#, #""\u12g4""#, #""\u12"#, "{a:1}", "'a'", "NaN", "\u{FEFF}1",
        ]
    )
    func refuses(_ text: String) {
        #expect(JSONValue.parse(text) == nil)
    }

    @Test(
        "escapes, surrogate pairs and repeated names in JSON are read as JavaScript reads them",
        arguments: [
            (#""\u00C4\/\b\f\n\r\t""#, #""Ä/\b\f\n\r\t""#), (#""\ud83d\ude00""#, #""😀""#),
            (#""\ud83dx""#, "\"\u{FFFD}x\""), (#""\ud83d\u0041""#, "\"\u{FFFD}A\""), (#""\ude00""#, "\"\u{FFFD}\""),
            (#" { "a" : 1 , "b" : 2 , "a" : 3 } "#, #"{"a":3,"b":2}"#), ("-0", "0"), ("1E+2", "100.0"),
            ("12345678901234567890", "1.2345678901234567e+19"), ("[1.0,1e400]", "[1.0,null]"),
            (#""\\ud83d\ud83d\ude00\\""#, #""\\ud83d😀\\""#),
        ]
    )
    func reads(_ text: String, _ expected: String) {
        #expect(JSONValue.parse(text)?.text() == expected)
    }

    @Test("the nesting of JSON is limited, and brackets in strings do not count")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(JSONValue.parse(nested(JSONValue.maximumDepth)) != nil)
        #expect(JSONValue.parse(nested(JSONValue.maximumDepth + 1)) == nil)
        #expect(JSONValue.parse(nested(100_000)) == nil)
        #expect(JSONValue.parse("[\"\\\"" + String(repeating: "[", count: 1000) + "\"]") != nil)
    }

    @Test("long runs of combining marks in names and strings of JSON are refused")
    func marks() {
        let allowed = String(repeating: "\u{301}", count: MarkRun.maximum)
        #expect(JSONValue.parse(#"{"e\#(allowed)":"e\#(allowed)"}"#) != nil)
        #expect(JSONValue.parse(#"{"e\#(allowed)\#(allowed)":1}"#) == nil)
        #expect(JSONValue.parse(#"["e\#(allowed)\#(allowed)"]"#) == nil)
        #expect(JSONValue.parse(#"["e\#(allowed)\u0301"]"#) == nil)
    }

    @Test("pretty JSON is indented by four spaces")
    func pretty() {
        let value: JSONValue = ["a": [1, ["b": "  c\n"]], "d": [:], "e": []]
        #expect(
            value.prettyText == """
                {
                    "a": [
                        1,
                        {
                            "b": "  c\\n"
                        }
                    ],
                    "d": {},
                    "e": []
                }

                """
        )
    }

    @Test(
        "flags, texts and whole numbers are read as lenient clients write them",
        arguments: [
            ("true", true, nil, nil), ("1", true, "1", 1), (#""1""#, true, "1", nil), (#""true""#, true, "true", nil),
            ("0", false, "0", 0), ("-0", false, "0", 0), (#""""#, false, "", nil), ("0.0", nil, nil, 0),
            ("1.0", nil, nil, 1), ("2", nil, "2", 2), ("1.5", nil, nil, nil), ("1e400", nil, nil, nil),
            ("12345678901234567890", nil, nil, nil), ("null", nil, nil, nil), ("[]", nil, nil, nil),
        ] as [(String, Bool?, String?, Int64?)]
    )
    func lenient(_ text: String, _ flag: Bool?, _ lenientText: String?, _ integer: Int64?) throws {
        let value = try #require(JSONValue.parse(text))
        #expect(value.lenientFlag == flag)
        #expect(value.lenientText == lenientText)
        #expect(value.integerValue == integer)
    }

    @Test(
        "flags, texts and whole numbers in JSON are read as lenient clients write them",
        arguments: [
            ("null", "null", true), ("false", "boolean", true), ("true", "boolean", false), ("0", "number", true),
            ("-0.0", "number", true), ("1", "number", false), (#""""#, "string", true), (#""0""#, "string", false),
            ("[]", "array", false), ("{}", "object", false),
        ]
    )
    func types(_ text: String, _ name: String, _ isFalsy: Bool) throws {
        let value = try #require(JSONValue.parse(text))
        #expect(value.typeName == name)
        #expect(value.isFalsy == isFalsy)
    }

    @Test("the first of members with one name counts when JSON objects are joined")
    func joined() {
        var object: JSONObject = ["a": 1] + ["a": 2, "b": 3]
        object += ["b": 4, "c": 5]
        object.append(("c", 6))
        #expect(JSONValue.object(object).text() == #"{"a":1,"b":3,"c":5}"#)
        #expect(JSONValue.object([("a", 1), ("a", 2)]) == ["a": 1])
        #expect(JSONValue.number(.infinity) == .null && JSONValue.number(Double(1)).text() == "1.0")
    }
}
