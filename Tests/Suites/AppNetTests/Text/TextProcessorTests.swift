import AppNet
import Testing

@Suite("Text processor of the client")
struct TextProcessorTests {
    private func links(_ text: String) -> [String] {
        (TextProcessor().process(text).entities?.links ?? []).map { "\($0.text ?? "") \($0.url?.text ?? "")" }
    }

    @Test(
        "links with a scheme and bare domains are found without the punctuation after them",
        arguments: [
            ("see https://example.com/a?b=c#d.", ["https://example.com/a?b=c#d https://example.com/a?b=c#d"]),
            ("HTTP://Example.com", ["HTTP://Example.com HTTP://Example.com"]),
            ("(https://example.com/a_(b))", ["https://example.com/a_(b) https://example.com/a_(b)"]),
            ("(https://example.com)", ["https://example.com https://example.com"]),
            ("example.com/path, and more", ["example.com/path http://example.com/path"]),
            ("é example.com", ["example.com http://example.com"]), ("example.com", ["example.com http://example.com"]),
            ("a@example.com", []), ("file.txt", []), ("e.g. 3.14 a..com", []), ("https://", []), ("http:// a", []),
            ("see example.com.", ["example.com http://example.com"]), ("x.com...", ["x.com http://x.com"]),
            ("(x.com.) y", ["x.com http://x.com"]), ("x.com.é", []), ("x.com.\u{301}", ["x.com http://x.com"]),
            (
                "https://example.com/{post_id}",
                ["https://example.com/{post_id} https://example.com/{post_id}"]
            ),
            ("{https://example.com/[1]}.", ["https://example.com/[1] https://example.com/[1]"]),
            ("[https://example.com/a]", ["https://example.com/a https://example.com/a"]),
            ("@alice.com", []), ("x.com's", ["x.com http://x.com"]),
            ("e\u{301}x.com", []), ("x.com\u{301}", []), ("e\u{301} x.com", ["x.com http://x.com"]),
        ]
    )
    func detection(_ text: String, _ expected: [String]) { #expect(links(text) == expected) }

    @Test(
        "mentions in a text are found",
        arguments: [
            ("@alice @bob: hi @Carol", ["alice!", "bob!", "carol"]), ("hi @alice", ["alice"]), ("a@bob", []),
            ("@@alice", []), ("/@alice &@bob", []), ("@alice@example", []), ("@", []),
            ("@aaaaaaaaaaaaaaaaaaaaa", []), ("@aaaaaaaaaaaaaaaaaaaa", ["aaaaaaaaaaaaaaaaaaaa!"]),
            ("https://example.com/@alice", []), ("  @alice", ["alice!"]), ("#x @alice", ["alice"]),
            (".@alice", ["alice"]), ("@aliceé", ["alice!"]),
        ]
    )
    func mentions(_ text: String, _ expected: [String]) {
        let mentions = TextProcessor().process(text).entities?.mentions ?? []
        #expect(mentions.map { ($0.name ?? "") + ($0.isLeading == true ? "!" : "") } == expected)
        #expect(mentions.allSatisfy { $0.id == nil && $0.length == ($0.name?.count ?? 0) + 1 })
    }

    @Test(
        "hashtags in a text are found",
        arguments: [
            ("#a #B_1 #日本語", ["a", "b_1", "日本語"]), ("a#b", []), ("&#39; #", []), ("##x", ["x"]), ("#a#b", ["a"]),
            ("https://example.com/#x", []), ("(#x)", ["x"]), ("😀#é", ["é"]),
            ("#हिन्दी में", ["हिन्दी"]), ("#தமிழ்", ["தமிழ்"]), ("#বাংলা।", ["বাংলা"]), ("#น้ำตก", ["น้ำตก"]),
            ("#cafe\u{301}!", ["cafe\u{301}"]), ("#ශ්\u{200D}රී_ලංකා", ["ශ්\u{200D}රී_ලංකා"]),
            ("#می\u{200C}خواهم\u{200C} ", ["می\u{200C}خواهم"]), ("#\u{301}a", []), ("#\u{FE0F}\u{20E3}", []),
            ("1\u{FE0F}\u{20E3}#first", ["first"]),
            ("#\u{200D}a", []), ("cafe\u{301}#b", []), ("❤\u{FE0F}#b", ["b"]),
            ("#a" + String(repeating: "\u{301}", count: 31), ["a" + String(repeating: "\u{301}", count: 30)]),
        ]
    )
    func hashtags(_ text: String, _ expected: [String]) {
        let hashtags = TextProcessor().process(text).entities?.hashtags ?? []
        #expect(hashtags.map { Array(($0.name ?? "").unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
        #expect(hashtags.allSatisfy { $0.length == ($0.name?.unicodeScalars.count ?? 0) + 1 })
    }

    @Test("entities of a processed text have their text at their position")
    func places() throws {
        let text = "😀 @Alice e\u{301} #News https://example.com/ 👩‍👩‍👧 example.org"
        let entities = try #require(TextProcessor().process(text).entities)
        #expect(entities.mentions?.first?.substring(in: text) == "@Alice")
        #expect(entities.hashtags?.first?.substring(in: text) == "#News")
        #expect(entities.links?.map { $0.substring(in: text) } == ["https://example.com/", "example.org"])
    }

    @Test("given links replace the search for links, unless both are asked for")
    func givenLinks() {
        let given = [Entities.Link(url: "https://example.com/", position: 0, length: 4)]
        let text = "Here and example.org"
        #expect(TextProcessor().process(text, links: given).entities?.links?.map(\.text) == ["Here"])
        #expect(TextProcessor().process(text, links: []).entities?.links?.isEmpty == true)
        let both = TextProcessor(parsesLinks: true).process(text, links: given).entities?.links
        #expect(both?.map(\.text) == ["Here", "example.org"])
    }

    @Test(
        "invalid given links are left out",
        arguments: [(-1, 2), (0, 0), (0, 99), (99, 1), (Int.max, Int.max), (1, Int.max)]
    )
    func badLinks(_ position: Int, _ length: Int) {
        let link = Entities.Link(url: "https://example.com/", position: position, length: length)
        #expect(TextProcessor().process("Here", links: [link]).entities?.links?.isEmpty == true)
    }

    @Test(
        "Markdown links become links",
        arguments: [
            ("See [the page](https://example.com/) #news", "See the page #news", ["the page"]),
            ("[a](https://example.com/x_(y))!", "a!", ["a"]), ("[a](ftp://example.com)", "[a](ftp://example.com)", []),
            ("[](https://example.com/)", "[](https://example.com/)", ["https://example.com/"]),
            ("[a] (https://example.com/ b", "[a] (https://example.com/ b", ["https://example.com/"]),
            ("[[a](https://example.com/)]", "[a]", ["a"]), ("[[[[", "[[[[", []),
            ("😀[é](https://example.com/)", "😀é", ["é"]), ("[a](b [c](https://example.com/)", "[a](b c", ["c"]),
            ("[a]([b](https://example.com/)", "[a](b", ["b"]),
            ("a](https://example.com/)", "a](https://example.com/)", ["https://example.com/"]),
        ]
    )
    func markdown(_ text: String, _ expected: String, _ anchors: [String]) {
        let processed = TextProcessor(parsesMarkdownLinks: true).process(text)
        #expect(processed.text == expected)
        #expect(processed.entities?.links?.map { $0.substring(in: expected).map(String.init) } == anchors)
    }

    @Test("the host is added after links whose text names another, and later entities are moved")
    func warnings() throws {
        let processor = TextProcessor(parsesMarkdownLinks: true, amendsLinks: true)
        let processed = processor.process("[a](https://example.com/x) [b](https://example.org) #c example.net")
        #expect(processed.text == "a [example.com] b [example.org] #c example.net")
        let text = try #require(processed.text)
        let links = try #require(processed.entities?.links)
        #expect(links.map { $0.substring(in: text) } == ["a", "b"])
        #expect(links.map(\.amendedLength) == [15, 15])
        #expect(processed.entities?.hashtags?.first?.substring(in: text) == "#c")
        #expect(processed.html?.contains("</a> [example.com] <a") == true)
    }
}
