import HeliumJSON
import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Texts of pnut.io", .timeLimit(.minutes(5)))
struct PnutTextTests {
    private static let users = ["alice": Int64(1), "bob": 2, "carol": 3]
    private let processor = TextProcessor { Self.users[$0] }

    private func process(_ text: String, _ entities: String = "{}") throws -> ProcessedText {
        let body: JSONValue = ["text": .string(text), "entities": try #require(JSONValue.parse(entities))]
        let translated = PnutInput.text.translated(body, user: nil)
        let written = try WrittenText(text: text, entities: translated["entities"], rules: .pnut)
        return try processor.process(written, maximum: 256)
    }

    @Test(
        "a mention after a slash, and those that follow it, are copies on pnut.io",
        arguments: [
            ("hi /@alice", [true]), ("/@alice @bob\n@carol", [true, true, true]), ("@alice /@bob", [false, true]),
            ("/@alice and @bob", [true, false]), ("hi @alice", [false]), ("and/@alice", [true]),
        ]
    )
    func copies(_ text: String, _ flags: [Bool]) throws {
        #expect(try process(text).entities.mentions.map(\.isCopy) == flags)
    }

    @Test(
        "a tag of pnut.io may have emoji, but not only digits",
        arguments: [
            ("#123", []), ("#1_2", []), ("#_", []), ("#1a", ["1a"]), ("#été_1", ["été_1"]), ("#tea🍵!", ["tea🍵"]),
            ("#1\u{301}", []), ("#\u{FE0F}\u{20E3}", []), ("#👩\u{200D}🔬\u{200D}", ["👩\u{200D}🔬"]), ("#हिन्दी", ["हिन्दी"]),
        ]
    )
    func tags(_ text: String, _ names: [String]) throws {
        #expect(try process(text).entities.hashtags.map(\.name) == names)
    }

    @Test("Markdown links of pnut.io have titles, and may lack a scheme")
    func markdown() throws {
        let titled = try process(#"see [text](https://example.com "A \ <title>") #x"#)
        #expect(titled.text == "see text [example.com] #x")
        #expect(titled.entities.links.first?.title == #"A \ <title>"#)
        #expect(
            titled.html.contains(#"<a href="https://example.com" title="A \ &lt;title&gt;">text</a> [example.com]"#)
        )
        let stored = AppNetEntities(stored: titled.entities.json)
        #expect(stored.links.first?.title == #"A \ <title>"#)

        let host = try process("[pnut.io](pnut.io/docs)")
        #expect(host.text == "pnut.io")
        #expect(host.entities.links.map(\.url) == ["http://pnut.io/docs"])
        #expect(host.entities.links.first?.amendedLength == nil)
        #expect(try process("[text](pnut.io/docs)").text == "text [pnut.io]")
    }

    @Test(
        "text that only resembles a Markdown title is left as it is",
        arguments: [
            #"[a](https://b.example "c)"#, #"[a](https://b.example c")"#, #"[a](https://b.example "c" d)"#,
            #"[a](file.swift)"#,
        ]
    )
    func noMarkdown(_ text: String) throws {
        #expect(try process(text, #"{"parse_links":0}"#).text == text)
    }

    @Test(
        "links of a text are not detected if parse_links is false",
        arguments: [
            (#"{"parse_links":0}"#, []), (#"{"parse_links":false}"#, []), (#"{"parse_links":"0"}"#, []),
            (#"{"parse_links":1}"#, ["http://a.example"]), ("{}", ["http://a.example"]),
        ]
    )
    func parsesLinks(_ entities: String, _ urls: [String]) throws {
        #expect(try process("http://a.example", entities).entities.links.map(\.url) == urls)
        let both = try process("http://a.example [b](http://b.example)", entities)
        #expect(both.entities.links.map(\.url) == urls + ["http://b.example"])
        let off = try process("[b](http://b.example)", #"{"parse_links":0,"parse_markdown_links":0}"#)
        #expect(off.entities.links.isEmpty && off.text == "[b](http://b.example)")
    }

    @Test("a text of incomplete Markdown titles is processed in time that grows with its length")
    func cost() {
        for piece in [#"[a](b "c"#, #"[](" "#, #"[a](http://b.example "#] {
            let text = String(repeating: piece, count: 20_000)
            #expect(MarkdownLinks(text, .pnut).links.isEmpty)
        }
    }
}
