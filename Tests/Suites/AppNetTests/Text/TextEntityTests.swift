import AppNet
import Foundation
import HeliumJSON
import Testing

@Suite("Positions of entities")
struct TextEntityTests {
    @Test("positions of entities count code points, also inside of an emoji")
    func codePoints() {
        let text = "👩‍👩‍👧 e\u{301} #tag"
        let hashtag = Entities.Hashtag(name: "tag", position: 9, length: 4)
        #expect(hashtag.substring(in: text) == "#tag")
        let half = Entities.Link(position: 0, length: 1)
        #expect(half.substring(in: text).map(String.init)?.unicodeScalars.count == 1)
    }

    @Test(
        "an entity outside of the text has no range",
        arguments: [
            (-1, 1), (0, 6), (6, 0), (5, 1), (0, -1), (Int.max, 1), (1, Int.max), (Int.min, Int.min),
            (Int.max, Int.max),
        ]
    )
    func outside(_ position: Int, _ length: Int) {
        let link = Entities.Link(url: "https://example.com/", position: position, length: length, amendedLength: .max)
        let entities = Entities(
            mentions: [Entities.Mention(name: "alice", position: position, length: length)],
            links: [link]
        )
        #expect(link.range(in: "abcde") == nil)
        #expect(link.amendedRange(in: "abcde") == nil)
        #expect(entities.html(of: "abcde") == "<span itemscope=\"https://app.net/schemas/Post\">abcde</span>")
        #expect(entities.attributedString(of: "abcde") == AttributedString("abcde"))
    }

    @Test("an entity without a position has no range")
    func machineOnly() {
        #expect(Entities.Mention(name: "alice").range(in: "@alice") == nil)
        #expect(Entities(mentions: [Entities.Mention(name: "alice")]).html(of: "a").contains(">a<"))
    }

    @Test("an entity that overlaps an earlier one is not rendered")
    func overlap() {
        let entities = Entities(
            hashtags: [
                Entities.Hashtag(name: "ab", position: 0, length: 3),
                Entities.Hashtag(name: "b", position: 1, length: 2),
                Entities.Hashtag(name: "c", position: 3, length: 2),
            ]
        )
        #expect(entities.html(of: "#ab#c").components(separatedBy: "data-hashtag-name").count == 3)
    }

    @Test("HTML of a text is escaped")
    func escaping() {
        let link = Entities.Link(url: "https://example.com/?a=\"&b=<é>", position: 0, length: 1)
        #expect(
            Entities(links: [link]).html(of: "x & <b>\r\n\"q\" ~\u{7F}é😀")
                == """
                <span itemscope="https://app.net/schemas/Post"><a href="https://example.com/?a=&quot;&amp;b=&lt;&#233;&gt;">\
                x</a> &amp; &lt;b&gt;&#13;<br>"q" ~&#127;&#233;&#128512;</span>
                """
        )
    }

    @Test("an entity is found by its name in any letter case")
    func lookup() {
        let entities = Entities(
            mentions: [Entities.Mention(name: "alice", id: 1, position: 0, length: 6, isLeading: true)],
            hashtags: [Entities.Hashtag(name: "news", position: 7, length: 5)]
        )
        #expect(entities.mention(of: "@Alice")?.id == 1)
        #expect(entities.mentions("ALICE"))
        #expect(!entities.mentions("bob"))
        #expect(entities.contains(hashtag: "#News"))
        #expect(!entities.contains(hashtag: "new"))
        let accented = Entities(hashtags: [Entities.Hashtag(name: "cafe\u{301}", position: 0, length: 6)])
        #expect(accented.contains(hashtag: "#Caf\u{E9}") && !accented.contains(hashtag: "cafe"))
        #expect(!accented.contains(hashtag: "cafe" + String(repeating: "\u{301}", count: 300)))
        #expect(entities.leadingMentions.count == 1)
    }
}
