import Cosm
import Foundation
import TestSupport
import Testing

/// The documents of `../shared/data/cosm`, where the machine has them.
@Suite("Documents of the real services")
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
        "are all known by their names",
        .enabled(if: !SharedDocuments.data("cosm/json").isEmpty, "no ../shared and no HELIUM_SHARED")
    )
    func known() {
        #expect(Self.cases.count >= 80)
        #expect(Self.cases.filter { !$0.isValid }.count == 7)
    }

    @Test(
        "are read, or refused with place and reason",
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

    @Test(
        "mean what the document of the same name expects",
        .enabled(if: !SharedDocuments.data("cosm/csv").isEmpty, "no ../shared and no HELIUM_SHARED")
    )
    func expected() throws {
        let documents = SharedDocuments.data("cosm/csv")
        for document in documents where document.name.hasPrefix("EXPECTED-") {
            let name = document.name.dropFirst("EXPECTED-".count)
            let original = try #require(documents.first { $0.name == name })
            #expect(
                try CosmFormat.csv.decode(Feed.self, from: original.contents)
                    == CosmFormat.csv.decode(Feed.self, from: document.contents)
            )
        }
    }

    @Test(
        "are the same again after they were written in their format",
        .enabled(if: !SharedDocuments.data("cosm/xml").isEmpty, "no ../shared and no HELIUM_SHARED")
    )
    func writtenAgain() throws {
        for document in SharedDocuments.data("cosm/xml") where document.name.hasPrefix("feed") {
            let feed = try CosmFormat.xml.decode(Feed.self, from: document.contents)
            let written = try feed.encoded(as: .xml)
            #expect(written.losses.isEmpty, "\(document.name): \(written.losses)")
            #expect(try CosmFormat.xml.decode(Feed.self, from: written.data) == feed)
        }
    }
}

/// The documents of `Fixtures/cosm`.
@Suite("Documents of our own")
struct FixtureTests {
    static let cases = ["json", "csv", "xml", "socket"].flatMap { folder in
        SharedDocumentTests.cases(SharedDocuments.fixtures("cosm/\(folder)"), in: folder)
    }

    @Test("are read, or refused with place and reason", arguments: cases)
    func read(_ test: SharedDocumentTests.Case) throws { try SharedDocumentTests.check(test) }

    private func document(_ path: String) throws -> Data {
        let parts = path.split(separator: "/").map(String.init)
        return try #require(SharedDocuments.fixtures("cosm/\(parts[0])").first { $0.name == parts[1] }).contents
    }

    @Test("the same feed in JSON and in XML is the same, and so are the rows and what they are expected to be")
    func same() throws {
        let feed = try CosmFormat.json.decode(Feed.self, from: document("json/feed.json"))
        #expect(try CosmFormat.xml.decode(Feed.self, from: document("xml/feed.xml")) == feed)
        #expect(feed.unknownMembers.isEmpty && feed.datastreams?.count == 3)
        let rows = try CosmFormat.csv.decode(Feed.self, from: document("csv/feed.csv"))
        #expect(try CosmFormat.json.decode(Feed.self, from: document("json/EXPECTED-csv-feed.json")) == rows)
        let trigger = try CosmFormat.xml.decode(Trigger.self, from: document("xml/trigger.xml"))
        #expect(try CosmFormat.json.decode([Trigger].self, from: document("json/triggers.json")) == [trigger])
    }

    @Test("what has odd types is what it is meant to be")
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
