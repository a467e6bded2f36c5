import AppNet
import Foundation
import HeliumJSON
import TestSupport
import Testing

/// The texts of `entities-corpus.json` in `Fixtures/appnet`, and those of the real server where the machine has them.
@Suite("Texts with their entities")
struct CorpusTests {
    struct Entry: Decodable, Sendable, CustomTestStringConvertible {
        struct Expectation: Decodable, Sendable {
            let kind: String
            let pos: Int
            let utf16_location: Int
            let utf16_length: Int
            let substring: String
        }

        let id: String
        let context: String
        let text: String
        let html: String
        let entities: Entities
        let expected_ranges: [Expectation]

        var testDescription: String { id }

        func entity(_ expectation: Expectation) -> (any TextEntity)? {
            let all: [any TextEntity] =
                switch expectation.kind {
                case "mentions": entities.mentions ?? []
                case "hashtags": entities.hashtags ?? []
                default: entities.links ?? []
                }
            return all.first { $0.position == expectation.pos }
        }
    }

    static let entries: [Entry] =
        SharedDocuments.all("appnet")
        .filter { $0.name == "entities-corpus.json" }
        .flatMap { (try? HeliumJSONDecoder().decode([Entry].self, from: $0.contents)) ?? [] }

    @Test("the sample texts with entities are complete")
    func isThere() {
        #expect(Self.entries.count >= (SharedDocuments.data("appnet").isEmpty ? 4 : 68))
    }

    @Test("entities of a sample text have their ranges", arguments: entries)
    func ranges(_ entry: Entry) throws {
        for expectation in entry.expected_ranges {
            let entity = try #require(entry.entity(expectation))
            let range = try #require(entity.range(in: entry.text))
            #expect(NSRange(range, in: entry.text).location == expectation.utf16_location)
            #expect(NSRange(range, in: entry.text).length == expectation.utf16_length)
            #expect(entry.text[range] == expectation.substring)
        }
    }

    @Test("a sample text has the HTML of the service, byte for byte", arguments: entries)
    func html(_ entry: Entry) { #expect(entry.entities.html(of: entry.text) == entry.html) }

    @Test("the attributed text of a sample has a run for each entity", arguments: entries)
    func attributed(_ entry: Entry) throws {
        let attributed = entry.entities.attributedString(of: entry.text)
        #expect(String(attributed.characters) == entry.text)
        var found: [(Int, String)] = []
        for run in attributed.runs where run.mention != nil || run.hashtag != nil || run.linkEntity != nil {
            let position = run.mention?.position ?? run.hashtag?.position ?? run.linkEntity?.position
            found.append((position ?? -1, String(String.UnicodeScalarView(attributed.unicodeScalars[run.range]))))
        }
        let expected = entry.expected_ranges.sorted { $0.pos < $1.pos }
        #expect(found.map(\.0) == expected.map(\.pos))
        #expect(found.map(\.1) == expected.map(\.substring))
        for link in entry.entities.links ?? [] where link.url?.url != nil {
            #expect(attributed.runs.contains { $0.linkEntity == link && $0.link == link.url?.url })
        }
    }

    @Test("exactly the links of a sample text that name another host are followed by it", arguments: entries)
    func warnings(_ entry: Entry) throws {
        for link in entry.entities.links ?? [] {
            let length = try #require(link.length)
            let warning = link.hostWarning
            #expect(link.amendedLength == warning.map { length + $0.unicodeScalars.count })
            guard let warning else { continue }
            let range = try #require(link.amendedRange(in: entry.text))
            #expect(entry.text[range].hasSuffix(warning))
        }
    }

    @Test("the text processor finds the hashtags of a sample text", arguments: entries)
    func hashtags(_ entry: Entry) {
        let found = process(entry).entities?.hashtags ?? []
        #expect(found == entry.entities.hashtags?.sorted { ($0.position ?? 0) < ($1.position ?? 0) })
    }

    @Test("the text processor finds the mentions of a sample text", arguments: entries)
    func mentions(_ entry: Entry) {
        let found = process(entry).entities?.mentions ?? []
        for mention in entry.entities.mentions ?? [] {
            var nameless = mention
            nameless.id = nil
            #expect(found.contains(nameless))
        }
    }

    @Test("the text processor finds the links with a scheme in a sample text", arguments: entries)
    func links(_ entry: Entry) {
        // Warnings and anchors of the writer's are not found again.
        guard (entry.entities.links ?? []).allSatisfy({ $0.amendedLength == nil && $0.text == $0.url?.text }) else {
            return
        }
        let found = TextProcessor().process(entry.text).entities?.links ?? []
        for link in entry.entities.links ?? [] { #expect(found.contains(link)) }
    }

    /// The text with its own links, as the server keeps hashtags and mentions out of them.
    private func process(_ entry: Entry) -> ProcessedText {
        let links = entry.entities.links?.map { link in
            var amended = link
            amended.length = link.amendedLength ?? link.length
            return amended
        }
        return TextProcessor(marksLeadingMentions: entry.context == "post").process(entry.text, links: links)
    }
}
