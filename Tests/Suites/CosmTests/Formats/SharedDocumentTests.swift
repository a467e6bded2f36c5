import Cosm
import Foundation
import TestSupport
import Testing

/// The documents of `../shared/data/cosm`, where the machine has them. Two tests also read those of `Fixtures/cosm`.
@Suite("Sample documents of the real Cosm")
struct SharedDocumentTests {
    /// The properties that a document's name states.
    struct Case: Sendable, CustomTestStringConvertible {
        let document: SharedDocuments.Document
        let kind: CosmDocumentKind
        let format: CosmFormat
        let dialect: CosmDialect
        let isValid: Bool

        var testDescription: String { document.name }
    }

    static let cases = ["json", "csv", "xml", "socket"].flatMap { folder in
        cases(SharedDocuments.data("cosm/\(folder)"), in: folder)
    }

    static func cases(_ documents: [SharedDocuments.Document], in folder: String) -> [Case] {
        documents.compactMap { document in
            guard let format = CosmFormat(fileExtension: document.url.pathExtension) else { return nil }
            var words = document.name.split(whereSeparator: { "-.".contains($0) }).map(String.init)
            let isValid = !words.contains("INVALID")
            let isVersion1 = words.contains("v1")
            words.removeAll { ["INVALID", "EXPECTED", "v1", "csv"].contains($0) }
            var name = words.first ?? ""
            if words.contains("list"), name == "feed" { name = "feeds" }
            // One's name doesn't say of which kind it is.
            if CosmDocumentKind(named: "cosm.\(name)") == nil { name = "feed" }
            let kind = CosmDocumentKind(named: folder == "socket" ? "cosm.socket" : "cosm.\(name)")
            let dialect: CosmDialect = isVersion1 && format == .csv ? .version1 : .stated
            return kind.map {
                Case(document: document, kind: $0, format: format, dialect: dialect, isValid: isValid)
            }
        }
    }

    @Test(
        "each document of the real Cosm has a name that tells its kind",
        .enabled(if: !SharedDocuments.data("cosm/json").isEmpty, "no ../shared and no HELIUM_SHARED")
    )
    func known() {
        #expect(Self.cases.count >= 80)
        #expect(Self.cases.filter { !$0.isValid }.count == 7)
    }

    @Test(
        "a document of the real Cosm is decoded, or refused with position and reason",
        .enabled(if: !SharedDocuments.data("cosm/json").isEmpty, "no ../shared and no HELIUM_SHARED"),
        arguments: cases
    )
    func read(_ test: Case) throws { try Self.check(test) }

    static func check(_ test: Case) throws {
        let data = test.document.contents
        guard !test.isValid else {
            _ = try test.kind.read(data, as: test.format, dialect: test.dialect)
            return
        }
        let error = try #require(throws: CosmDocumentError.self) {
            _ = try test.kind.read(data, as: test.format, dialect: test.dialect)
        }
        #expect(error.line != nil)
        #expect(!error.reason.isEmpty)
    }

    @Test("a sample document in CSV decodes to the same feed as the expected document of its name")
    func expected() throws {
        for documents in [SharedDocuments.fixtures("cosm/csv"), SharedDocuments.data("cosm/csv")] {
            for document in documents where document.name.hasPrefix("EXPECTED-") {
                let name = document.name.dropFirst("EXPECTED-".count)
                let original = try #require(documents.first { $0.name == name })
                #expect(
                    try CosmFormat.csv.decode(Feed.self, from: original.contents)
                        == CosmFormat.csv.decode(Feed.self, from: document.contents)
                )
            }
        }
    }

    @Test("a sample feed in XML is the same after it was encoded and decoded")
    func writtenAgain() throws {
        for document in SharedDocuments.all("cosm/xml") where document.name.hasPrefix("feed-") {
            let feed = try CosmFormat.xml.decode(Feed.self, from: document.contents)
            let written = try feed.encoded(as: .xml)
            #expect(written.losses.isEmpty, "\(document.name): \(written.losses)")
            #expect(try CosmFormat.xml.decode(Feed.self, from: written.data) == feed)
        }
    }
}

/// The documents of `Fixtures/cosm`.
@Suite("Documents of Fixtures/cosm")
struct FixtureTests {
    static let cases = ["json", "csv", "xml", "socket"].flatMap { folder in
        SharedDocumentTests.cases(SharedDocuments.fixtures("cosm/\(folder)"), in: folder)
    }

    @Test("a document of Fixtures/cosm is decoded, or refused with position and reason", arguments: cases)
    func read(_ test: SharedDocumentTests.Case) throws { try SharedDocumentTests.check(test) }

    private func document(_ path: String) throws -> Data {
        let parts = path.split(separator: "/").map(String.init)
        return try #require(SharedDocuments.fixtures("cosm/\(parts[0])").first { $0.name == parts[1] }).contents
    }

    @Test("a feed is equal in JSON and XML, rows in CSV and the expected JSON, and a trigger in both formats")
    func same() throws {
        let feed = try CosmFormat.json.decode(Feed.self, from: document("json/feed.json"))
        #expect(try CosmFormat.xml.decode(Feed.self, from: document("xml/feed.xml")) == feed)
        #expect(feed.unknownMembers.isEmpty && feed.datastreams?.count == 3)
        let rows = try CosmFormat.csv.decode(Feed.self, from: document("csv/feed.csv"))
        #expect(try CosmFormat.json.decode(Feed.self, from: document("json/EXPECTED-csv-feed.json")) == rows)
        let trigger = try CosmFormat.xml.decode(Trigger.self, from: document("xml/trigger.xml"))
        #expect(try CosmFormat.json.decode([Trigger].self, from: document("json/triggers.json")) == [trigger])
    }

    @Test("members with unexpected types are decoded, such as numbers for ids and texts for numbers")
    func odd() throws {
        let stream = try CosmFormat.json.decode(Datastream.self, from: document("json/datastream-odd-types.json"))
        #expect(stream.id == "7" && stream.currentValue == "20.5" && stream.at == nil && stream.maximumValue == "31")
        #expect(
            stream.minimumValue == nil && stream.tags == ["garden", "a, b"] && stream.unit?.type?.rawValue == "metric"
        )
        let page = try CosmFormat.json.decode(FeedPage.self, from: document("json/feed-list.json"))
        #expect(page.totalResults == 2 && page.results.map(\.id) == [91, 92] && page.results[1].isPrivate == true)
        let keys = try CosmFormat.json.decode([APIKey].self, from: document("json/keys.json"))
        #expect(keys.map(\.label) == ["all", "one"] && keys[0].hasPrivateAccess == true)
        #expect(keys[1].permissions?.first?.minimumInterval == 900 && keys[1].expiresAt?.text == "12345")
        let old = try CosmFormat.xml.decode(Feed.self, from: document("xml/v1-feed.xml"))
        #expect(old.datastreams?.first?.currentValue == "20.5" && old.datastreams?.last == Datastream(id: "1"))
    }
}
