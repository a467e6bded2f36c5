import AppNet
import Foundation
import GRDB
import HeliumJSON
import TestSupport
import Testing

@testable import MessageBeast

/// Composition sorts runs of combining marks: of the texts here it would take minutes.
@Suite("Cost of hostile texts", .timeLimit(.minutes(5)))
struct PeerTextTests {
    /// Marks of two classes, in the order that costs most to sort.
    private static let marks = String(repeating: "\u{301}\u{316}", count: 150_000)

    @Test("names and tags with long runs of marks are compared by their bytes, and words have no such marks")
    func marks() {
        #expect(FoldedText.hashtag("#É" + Self.marks).hasSameBytes(as: "É" + Self.marks))
        #expect(FoldedText.placeName("Cafe" + Self.marks).hasSameBytes(as: "Cafe" + Self.marks))
        #expect(IndexedText.words(of: "日本" + Self.marks + "語") == "日本 本語 語")
        #expect(SearchText("日" + Self.marks).query?.pattern == "\"日\"*")
        // Marks that are parts of letters, in the order that costs most to sort.
        let parts = String(repeating: "\u{E48}\u{E38}", count: 150_000)
        #expect(IndexedText.words(of: "ก" + parts).unicodeScalars.count == 300_001)
        // Short runs are composed and folded.
        #expect(FoldedText.hashtag("#CAFE\u{301}") == "café")
        #expect(FoldedText.placeName("Cafe\u{301}").utf8.count == 5)
    }

    @Test("texts with long runs of marks are stored, listed, searched and highlighted", .tags(.random))
    func stored() throws {
        let marks = String(Self.marks.unicodeScalars.prefix(ProofLength.count(60_000, full: 300_000)))
        let journal = try Journal()
        let name = "Home" + marks
        let text = "日本 word\(marks) 東京"
        let annotations = [
            LocationTests.ohai(name, 1, 2, id: "a" + marks), Annotation(type: "net.example" + marks),
        ]
        try journal.store((1...3).reversed().map { Journal.message($0, text, annotations: annotations) })
        try journal.store((1...3).reversed().map { Journal.message($0, text + "!", annotations: annotations) })
        let places = try journal.list { try $0.displayLocations(in: Journal.channel) }
        #expect(places.map(\.messageIDs) == [[3, 2, 1]])
        #expect(try journal.search("東京") == [3, 2, 1])
        let location = DisplayLocation(name: name, latitude: 1, longitude: 2, source: .ohai)
        #expect(try journal.read { journal.ids(try $0.messages(in: Journal.channel, at: location)) } == [3, 2, 1])
        _ = try journal.search("日" + marks)
        _ = try journal.search((0..<5000).map { "w\($0)\u{301}" }.joined(separator: " "))
        try journal.expectSound()
    }

    @Test("hashtags at the end of a long text are found in one pass, in any order")
    func entities() {
        let text = String(repeating: "é", count: 1_000_000) + "#Tag"
        let tags = (0..<1024).map { index -> Entities.Hashtag in
            var tag = Entities.Hashtag(name: index == 0 ? "tag" : "tag\(index)")
            // Forwards and backwards.
            (tag.position, tag.length) = (index.isMultiple(of: 2) ? 1_000_000 : 500_000 - index, 4)
            return tag
        }
        var configuration = MessageManagerConfiguration()
        configuration.isHashtagExtractionEnabled = true
        let message = Message(text: text, entities: Entities(hashtags: tags))
        let derivation = MessageDerivation(message, createdAt: Journal.start, configuration: configuration)
        #expect(derivation.hashtags.count == 1024)
        #expect(derivation.hashtags[0].name == "Tag")
    }

    @Test("a tag has its spelling in the text, and its own if the text differs")
    func spelling() throws {
        let journal = try Journal()
        var message = Journal.message(1, "👨‍👩‍👧 #\u{301}Tag, #Other")
        var other = Entities.Hashtag(name: "else")
        (other.position, other.length) = (12, 6)
        message.entities = Entities(hashtags: [other])
        try journal.store([message, Journal.message(0, "🙂 #ÉtÉ")])
        let names = try journal.list { try $0.hashtags(in: Journal.channel).map(\.name) }
        #expect(names == ["else", "ÉtÉ"])
    }

    @Test("annotation types are compared by their bytes")
    func types() throws {
        let journal = try Journal { $0.annotationTypes = ["net.example.\u{E9}"] }
        try journal.store([
            Journal.message(2, annotations: [Annotation(type: "net.example.e\u{301}", value: [:])]),
            Journal.message(1, annotations: [Annotation(type: "net.example.\u{E9}", value: [:])]),
        ])
        let found = try journal.read { try $0.messages(in: Journal.channel, annotationType: "net.example.\u{E9}") }
        #expect(journal.ids(found) == [1])
    }
}
