import Foundation
import HeliumJSON
import Testing

@Suite("JSON values as text") struct JSONValueTextTests {
    static let value: JSONValue = [
        "b": [1, [:], [], ["z": nil, "a": "/é"]], "a": ["k": true], "é": 2, "B": 1, "": 0,
    ]

    @Test("the text of a JSON value is compact by default")
    func isCompactByDefault() throws {
        let text = #"{"b":[1,{},[],{"z":null,"a":"/é"}],"a":{"k":true},"é":2,"B":1,"":0}"#
        #expect(Self.value.text() == text)
        #expect(Self.value.data() == Data(text.utf8))
        #expect(Self.value.description == text)
    }

    @Test("the sorted text of a JSON value is sorted by bytes in all objects")
    func isSortedByBytesInAllObjects() {
        #expect(
            Self.value.text(formatting: .sortedMembers)
                == #"{"":0,"B":1,"a":{"k":true},"b":[1,{},[],{"a":"/é","z":null}],"é":2}"#
        )
        // UTF-16 would have these the other way round.
        let value: JSONValue = ["\u{1F600}": 1, "\u{FFFD}": 2]
        #expect(value.text(formatting: .sortedMembers) == "{\"\u{FFFD}\":2,\"\u{1F600}\":1}")
    }

    @Test("the pretty text of a JSON value is indented by two spaces")
    func isIndentedByTwoSpaces() {
        let text = """
            {
              "a": {
                "k": true
              },
              "b": [
                1,
                {},
                [],
                [
                  {
                    "x": null
                  }
                ]
              ]
            }
            """
        let value: JSONValue = ["a": ["k": true], "b": [1, [:], [], [["x": nil]]]]
        #expect(value.text(formatting: .pretty) == text)
        #expect(JSONValue.string("a").text(formatting: .pretty) == "\"a\"")
    }

    @Test(
        "the text of a JSON value escapes no more than it must",
        arguments: [
            ("", ""), ("/é😀\u{7F}\u{2028}", "/é😀\u{7F}\u{2028}"), ("\"\\", #"\"\\"#),
            ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#), ("\u{0}\u{1F}", #"\u0000\u001f"#),
            ("seven b\"eight by\"nine byte\"1234567", #"seven b\"eight by\"nine byte\"1234567"#),
            ("\u{10}!\"", #"\u0010!\""#),
        ]
    )
    func escapes(string: String, escaped: String) throws {
        #expect(JSONValue.string(string).text() == "\"\(escaped)\"")
        #expect(JSONValue.object([string: 1]).text() == "{\"\(escaped)\":1}")
        #expect(try JSONValue(parsing: "\"\(escaped)\"") == .string(string))
    }

    @Test("every byte is escaped at every position of a JSON string")
    func everyByteIsEscapedAtEveryPlace() throws {
        for scalar in (0..<0x80 as Range<UInt8>).map({ Unicode.Scalar($0) }) {
            for length in 0..<20 {
                let string = String(repeating: "x", count: length) + String(Character(scalar)) + "xyz"
                let text = JSONValue.string(string).text()
                let scalars = try JSONValue(parsing: text).stringValue?.unicodeScalars
                #expect(scalars?.elementsEqual(string.unicodeScalars) == true)
                #expect(text.utf8.count >= string.utf8.count + 2)
            }
        }
    }

    @Test("the debug description of a JSON value has its kind")
    func debugFormsTellTheCase() {
        let forms = [JSONValue.null, true, 1.0, "a\n", [1], ["a": 1]].map { String(reflecting: $0) }
        #expect(
            forms == [
                "JSONValue.null", "JSONValue.bool(true)", "JSONValue.number(1.0)", #"JSONValue.string("a\n")"#,
                "JSONValue.array([1])", #"JSONValue.object({"a":1})"#,
            ]
        )
        #expect(String(reflecting: JSONNumber(7)) == "JSONNumber(7)")
        #expect(String(reflecting: ["a": 1] as JSONObject) == #"JSONObject({"a":1})"#)
    }
}
