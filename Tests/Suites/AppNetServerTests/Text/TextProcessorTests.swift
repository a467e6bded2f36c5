import Foundation
import HeliumJSON
import HeliumServer
import TestSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Text processor of the App.net server", .timeLimit(.minutes(5)))
struct TextProcessorTests {
    private static let users = ["alice": Int64(1), "bob": 2, "alice_smith": 3]
    private let processor = TextProcessor { Self.users[$0] }

    private func process(_ text: String, _ entities: String? = nil) throws -> ProcessedText {
        let written = try WrittenText(text: text, entities: entities.flatMap(JSONValue.parse))
        return try processor.process(written, maximum: 256)
    }

    @Test(
        "mentions of existing users are found, bounded by names and signs",
        arguments: [
            ("@alice hi", ["alice"]), ("hi @ALICE", ["alice"]), ("@nobody", []), ("x@alice", []), ("@@alice", []),
            ("@alice@", []), ("/@alice", []), ("&@alice", []), ("@alice_smith", ["alice_smith"]),
            ("@alice.", ["alice"]),
            ("(@alice,@bob)", ["alice", "bob"]), ("@alicesmith", []), ("é@alice", ["alice"]),
            ("@aliceé", ["alice"]), ("@", []), ("@aaaaaaaaaaaaaaaaaaaaa", []),
        ]
    )
    func mentions(_ text: String, _ names: [String]) throws {
        #expect(try process(text).entities.mentions.map(\.name) == names)
    }

    @Test(
        "a mention is leading if only white space and other mentions precede it",
        arguments: [("@alice @bob hi @alice", [true, true, false]), (" \n@alice", [true]), (".@alice", [false])]
    )
    func leading(_ text: String, _ flags: [Bool]) throws {
        #expect(try process(text).entities.mentions.map(\.isLeading) == flags)
    }

    @Test(
        "hashtags of any script are found",
        arguments: [
            ("#Swift", ["swift"]), ("a#b", []), ("&#b", []), ("#", []), ("##b", ["b"]), ("#日本語 #été", ["日本語", "été"]),
            ("#a-b", ["a"]), ("#1", ["1"]), ("(#a)", ["a"]), ("#a_b!", ["a_b"]),
            ("#हिन्दी में", ["हिन्दी"]), ("#தமிழ்", ["தமிழ்"]), ("#বাংলা।", ["বাংলা"]), ("#น้ำตก", ["น้ำตก"]),
            ("#cafe\u{301}!", ["cafe\u{301}"]), ("#ශ්\u{200D}රී_ලංකා", ["ශ්\u{200D}රී_ලංකා"]),
            ("#می\u{200C}خواهم\u{200C} ", ["می\u{200C}خواهم"]), ("#\u{301}a", []), ("#\u{FE0F}\u{20E3}", []),
            ("#\u{200D}a", []), ("cafe\u{301}#b", []), ("❤\u{FE0F}#b", ["b"]),
            ("#a" + String(repeating: "\u{301}", count: 31), ["a" + String(repeating: "\u{301}", count: 30)]),
        ]
    )
    func hashtags(_ text: String, _ names: [String]) throws {
        let hashtags = try process(text).entities.hashtags
        #expect(hashtags.map { Array($0.name.unicodeScalars) } == names.map { Array($0.unicodeScalars) })
        #expect(hashtags.allSatisfy { $0.length == $0.name.unicodeScalars.count + 1 })
    }

    @Test(
        "links with a scheme, and bare hosts of known domains, are found",
        arguments: [
            ("see http://example.com/a?b=1.", ["http://example.com/a?b=1"]), ("App.net", ["http://App.net"]),
            ("(example.org/x)", ["http://example.org/x"]), ("bob@example.com", []), ("file.swift", []),
            ("https://example.com/a_(b)", ["https://example.com/a_(b)"]), ("http://", []), ("e.g. this", []),
            ("e\u{301}x.com", []), ("x.com\u{301}", []), ("e\u{301} x.com", ["http://x.com"]),
            ("http://example.com/#top @bob", ["http://example.com/#top"]), ("1.5.2", []),
            ("http://a.example http://b.example", ["http://a.example", "http://b.example"]),
        ]
    )
    func links(_ text: String, _ urls: [String]) throws {
        #expect(try process(text).entities.links.map(\.url) == urls)
    }

    @Test("positions of entities count code points")
    func codePoints() throws {
        let entities = try process("👩‍👩‍👧 e\u{301} #x").entities
        // Five scalars of the family, a blank, two of the accented letter, a blank.
        #expect(entities.hashtags == [AppNetEntities.Hashtag(name: "x", position: 9, length: 2)])
    }

    @Test("hashtags and mentions inside of links are not found")
    func insideLinks() throws {
        let entities = try process("http://example.com/@alice/#tag").entities
        #expect(entities.links.count == 1 && entities.mentions.isEmpty && entities.hashtags.isEmpty)
    }

    @Test("the writer's links replace the search for links, unless parse_links asks for it")
    func givenLinks() throws {
        let links = #""links":[{"pos":0,"len":1,"url":"http://a"}]"#
        #expect(try process("a http://b.example", "{\(links)}").entities.links.map(\.url) == ["http://a"])
        let both = try process("a http://b.example", "{\(links),\"parse_links\":true}").entities.links
        #expect(both.map(\.url) == ["http://a", "http://b.example"])
        #expect(try process("http://b.example", #"{"links":[]}"#).entities.links.isEmpty)
    }

    @Test("the host is written after a link whose text could mislead, and later entities are moved")
    func antiPhishing() throws {
        let entities = #"{"links":[{"pos":0,"len":4,"url":"http://example.com/x"}]}"#
        let text = try process("here #tag", entities)
        #expect(text.text == "here [example.com] #tag")
        #expect(text.entities.links.first?.amendedLength == 18)
        #expect(text.entities.hashtags.first?.position == 19)
        let html = #"<a href="http://example.com/x">here</a> [example.com] <span data-hashtag-name="tag""#
        #expect(text.html.contains(html))
    }

    @Test("hosts of links are compared without letter case and without www")
    func hosts() throws {
        let cases = [
            ("Example.com/other", "http://example.com", false), ("https://example.com", "http://example.com", false),
            ("example.com", "http://www.example.com", true), ("example.com.evil", "http://example.com", true),
        ]
        for (anchor, url, isAmended) in cases {
            let entities = #"{"links":[{"pos":0,"len":\#(anchor.count),"url":"\#(url)"}]}"#
            let link = try process(anchor, entities).entities.links.first
            #expect((link?.amendedLength != nil) == isAmended, "\(anchor)")
        }
    }

    @Test("hosts that the server writes into a text do not count against its limit")
    func limit() throws {
        let text = String(repeating: "x", count: 256)
        let entities = #"{"links":[{"pos":0,"len":1,"url":"http://example.com"}]}"#
        #expect(try process(text, entities).text.count > 256)
        #expect(throws: AppNetFailure.self) { try process(text + "x") }
        #expect(try process(String(repeating: "👍", count: 256)).text.unicodeScalars.count == 256)
    }

    @Test("Markdown links become links with positions, if the text asks for it")
    func markdown() throws {
        let entities = #"{"parse_markdown_links":true,"links":[{"pos":0,"len":1,"url":"http://no.example"}]}"#
        let text = try process("a [b](http://b.example) [c](no) @alice", entities)
        #expect(text.text == "a b [b.example] [c](no) @alice")
        #expect(text.entities.links.map(\.url) == ["http://b.example"])
        #expect(text.entities.mentions.first?.position == 24)
    }

    @Test(
        "a link outside of the text, or that overlaps or cuts another entity, is refused",
        arguments: [
            #"[{"pos":4,"len":9,"url":"http://a"}]"#, #"[{"pos":-1,"len":1,"url":"http://a"}]"#,
            #"[{"pos":0,"len":0,"url":"http://a"}]"#, #"[{"pos":0,"len":1,"url":"javascript:x"}]"#,
            #"[{"pos":0,"len":9223372036854775807,"url":"http://a"}]"#, #"[{"pos":0,"len":1}]"#, "7",
            #"[{"pos":0,"len":2,"url":"http://a"},{"pos":1,"len":1,"url":"http://a"}]"#,
            #"[{"pos":3,"len":4,"url":"http://a"}]"#,
        ]
    )
    func refusals(_ links: String) {
        #expect(throws: AppNetFailure.self) { try process("some #tag", #"{"links":\#(links)}"#) }
    }

    @Test("HTML of a text is escaped, and quotes only in attributes")
    func escaping() throws {
        let entities = #"{"links":[{"pos":0,"len":1,"url":"http://a/?x=1&y=\"<é"}]}"#
        let html = try process("a\"&<>\n\ré", entities).html
        #expect(html.contains(#"href="http://a/?x=1&amp;y=&quot;&lt;&#233;""#))
        #expect(html.contains("\"&amp;&lt;&gt;<br>&#13;&#233;</span>"))
    }

    @Test("templates in URLs are replaced unless process_template is false, and unknown names are kept")
    func templates() throws {
        let url = "http://a.example/{message_id}/{other}"
        let links = [true, false].enumerated().map { index, processes in
            #"{"pos":\#(index),"len":1,"url":"\#(url)","process_template":\#(processes)}"#
        }
        let text = try process("ab", #"{"links":[\#(links.joined(separator: ","))]}"#)
        #expect(
            text.entities.replacingTemplates("message_id", with: 7).links.map(\.url)
                == ["http://a.example/7/{other}", url]
        )
    }
}

@Suite("Texts of App.net with their entities", .timeLimit(.minutes(5)))
struct TextCorpusTests {
    private static let corpus: [JSONValue] = SharedDocuments.all("appnet")
        .filter { $0.name == "entities-corpus.json" }
        .flatMap { JSONValue.parse(String(decoding: $0.contents, as: UTF8.self))?.arrayValue ?? [] }

    @Test("a text with given links has the entities, the amended text and the HTML of the service")
    func recorded() throws {
        #expect(Self.corpus.count >= 4)
        for entry in Self.corpus {
            let id = entry["id"]?.stringValue ?? ""
            let expected = AppNetEntities(stored: entry["entities"] ?? .null)
            let whole = Array(try #require(entry["text"]?.stringValue).unicodeScalars)
            // Take the hosts that the service wrote out of the text again, from the end.
            var scalars = whole
            var links = expected.links
            for index in links.indices.reversed() {
                let link = links[index]
                guard let amended = link.amendedLength else { continue }
                scalars.removeSubrange((link.position + link.length)..<(link.position + amended))
                for later in links.indices where links[later].position > link.position {
                    links[later].position -= amended - link.length
                }
            }
            var written = try WrittenText(text: String(String.UnicodeScalarView(scalars)), entities: nil)
            written.links = links.map { WrittenText.Link(position: $0.position, length: $0.length, url: $0.url) }
            written.parsesLinks = false
            written.marksLeadingMentions = entry["context"]?.stringValue == "post"
            let names = Dictionary(expected.mentions.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
            let result = try TextProcessor { names[$0] }.process(written, maximum: 2048)
            #expect(result.text == entry["text"]?.stringValue, "\(id)")
            #expect(result.html == entry["html"]?.stringValue, "\(id)")
            #expect(result.entities.mentions == expected.mentions, "\(id)")
            #expect(result.entities.hashtags == expected.hashtags, "\(id)")
            #expect(result.entities.links == expected.links, "\(id)")
        }
    }
}
