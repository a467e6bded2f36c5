import Testing

@testable import HeliumJSON

struct SplittingTests {
    /// In a `Substring`, walking over the characters of this text would take minutes.
    private static let indicators = String(repeating: "\u{1F1E6}", count: 200_000)

    @Test(
        "a text is split at the bytes of a separator, also before a combining mark",
        arguments: [
            ("a/b", ["a", "b"], ["a", "b"]), ("/a//b/", ["", "a", "", "b", ""], ["a", "b"]), ("", [""], []),
            ("/", ["", ""], []), ("a/\u{301}b", ["a", "\u{301}b"], ["a", "\u{301}b"]),
            ("\u{1F1E6}/\u{1F1E6}", ["\u{1F1E6}", "\u{1F1E6}"], ["\u{1F1E6}", "\u{1F1E6}"]), ("é", ["é"], ["é"]),
        ]
    )
    func splitting(text: String, all: [Substring], filled: [Substring]) {
        for part in [text[...], "x\(text)".dropFirst()] {
            #expect(part.split(atByte: "/", omittingEmptySubsequences: false) == all)
            #expect(part.split(atByte: "/") == filled)
        }
        #expect(text.split(atByte: "/") == filled)
    }

    @Test("a text is split at most as often as requested")
    func maximum() {
        #expect("a=b=c".split(atByte: "=", maxSplits: 1) == ["a", "b=c"])
        #expect("=b".split(atByte: "=", maxSplits: 1, omittingEmptySubsequences: false) == ["", "b"])
    }

    @Test(
        "the text before a byte is found, and bytes are removed",
        arguments: [
            ("a b;c", "a b", "ab;c"), (";c", "", ";c"), ("a\t b", "a\t b", "ab"), ("", "", ""),
            ("a;\u{301}b", "a", "a;\u{301}b"), (" \u{301}", " \u{301}", "\u{301}"),
        ]
    )
    func parts(text: String, beginning: Substring, rest: String) {
        for part in [text[...], "x\(text)".dropFirst()] {
            #expect(part.prefix(beforeByte: ";").hasSameBytes(as: beginning))
            #expect(part.removingBytes(of: " \t").hasSameBytes(as: rest))
        }
    }

    @Test("long runs of regional indicators are split in linear time", .timeLimit(.minutes(5)))
    func cost() {
        let text = "a/\(Self.indicators)/b".dropFirst()
        #expect(text.split(atByte: "/").count == 2)
        #expect(text.prefix(beforeByte: ";").utf8.count == text.utf8.count)
        #expect(text.removingBytes(of: "/").utf8.count == text.utf8.count - 2)
        #expect(HeliumJSONDecoder.KeyDecodingStrategy.camelCase("\(Self.indicators)_b").hasByteSuffix("B"))
        #expect(HeliumJSONEncoder.KeyEncodingStrategy.snakeCase("\(Self.indicators)Bc").hasByteSuffix("_bc"))
    }
}
