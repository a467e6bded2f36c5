import Foundation
import Testing

@testable import HeliumJSON

@Suite("Repair of texts in JSON")
struct LenientTextTests {
    private func repaired(_ text: String) -> String? {
        LenientText.repaired(Data(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "half an emoji and control characters are repaired, and nothing else changes",
        arguments: [
            (#"{"a":"x\ud83d"}"#, #"{"a":"x\ufffd"}"#), (#"{"a":"\ude00x"}"#, #"{"a":"\ufffdx"}"#),
            ("{\"a\":\"x\u{1}\ny\"}", #"{"a":"x\u0001\u000ay"}"#), ("[\"\\\"\u{1F}\"]", #"["\"\u001f"]"#),
            ("{\n\"a\u{0}\":1}", "{\n\"a\\u0000\":1}"), ("[\"\\\\\u{9}\"]", #"["\\\u0009"]"#),
        ]
    )
    func repairs(_ text: String, _ expected: String) throws {
        #expect(repaired(text) == expected)
        _ = try JSONValue(parsing: expected)
    }

    @Test(
        "a document without such texts is not changed",
        arguments: [
            "", "{}", #"{"a":"\ud83d\ude00\u0001"}"#, "{\n\t\"a\": 1\r\n}", #"["\\ud83d"]"#, "{\"a\":", "[\u{1}]",
        ]
    )
    func unchanged(_ text: String) { #expect(repaired(text) == nil) }

    @Test("bytes that are not UTF-8 are replaced by U+FFFD")
    func bytes() throws {
        let document = Data(Array(#"["a"#.utf8) + [0xF0, 0x9F, 0x98] + Array(#"","b"]"#.utf8))
        let repaired = try #require(LenientText.repaired(document))
        #expect(try JSONValue(parsing: repaired) == ["a\u{FFFD}", "b"])
    }
}
