import Testing

@testable import HeliumJSON

struct ByteTextTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    @Test("texts are compared by their bytes")
    func equality() {
        #expect(ByteText("café") == ByteText("xcafé".dropFirst()))
        #expect(Self.composed == Self.decomposed)
        #expect(ByteText(Self.composed) != ByteText(Self.decomposed))
        #expect(Set([ByteText(Self.composed), ByteText(Self.decomposed)]).count == 2)
        #expect(ByteText("a") < "b" && ByteText("a") < "aa" && ByteText("\u{FF}") < "\u{10000}")
    }

    @Test("dictionaries, sets and switches of byte texts take strings and literals")
    func collections() {
        var counts: [ByteText: Int] = [Self.composed: 1].reduce(into: [:]) { $0[$1.key] = $1.value }
        counts[Self.decomposed, default: 0] += 5
        #expect(counts[Self.composed] == 1 && counts[Self.decomposed] == 5 && counts["cafe"] == nil)
        var seen: Set<ByteText> = []
        #expect(seen.insert(Self.composed) && !seen.insert(Self.composed) && seen.contains(Self.composed))
        #expect(!seen.contains(Self.decomposed))
        switch ByteText(Self.decomposed) {
        case "caf\u{E9}": Issue.record("another spelling matched")
        case "cafe\u{301}": break
        default: Issue.record("the same bytes did not match")
        }
    }

    @Test(
        "prefixes, suffixes and parts of a text are found by their bytes",
        arguments: [
            ("", "", true, true, true), ("a", "", true, true, true), ("", "a", false, false, false),
            ("abab", "ab", true, true, true), ("aab", "ab", false, true, true), ("aba", "ab", true, false, true),
            ("ab\u{301}", "ab", true, false, true), ("xaby", "ab", false, false, true),
            ("aXb", "ab", false, false, false), ("é", "e", false, false, false),
        ]
    )
    func parts(text: String, part: String, isPrefix: Bool, isSuffix: Bool, isPart: Bool) {
        #expect(text.hasBytePrefix(part) == isPrefix)
        #expect(text.hasByteSuffix(part) == isSuffix)
        #expect(text.containsBytes(of: part) == isPart)
    }

    @Test("a raw value is found for ASCII text only")
    func rawValues() {
        enum Unit: String { case kelvin = "K" }
        #expect(Unit(asciiValue: "K") == .kelvin && Unit(asciiValue: "k") == nil)
        // The sign KELVIN is canonically equivalent to the letter K.
        #expect(Unit(rawValue: "\u{212A}") == .kelvin && Unit(asciiValue: "\u{212A}") == nil)
    }
}
