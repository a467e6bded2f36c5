import Cosm
import Foundation
import TestSupport
import Testing

/// The documents of `../shared/data/cosm`, where the machine has them.
@Suite("Documents of the real services")
struct SharedDocumentTests {
    /// What a document's name says.
    struct Case: Sendable, CustomTestStringConvertible {
        let document: SharedDocuments.Document
        let kind: CosmDocumentKind
        let format: CosmFormat
        let dialect: CosmDialect
        let isValid: Bool

        var testDescription: String { document.name }
    }

    static let cases: [Case] = ["json", "csv", "xml", "socket"].flatMap { folder in
        SharedDocuments.data("cosm/\(folder)").compactMap { document in
            guard let format = CosmFormat(fileExtension: document.url.pathExtension) else { return nil }
            var words = document.name.split(whereSeparator: { "-.".contains($0) }).map(String.init)
            let isValid = !words.contains("INVALID")
            words.removeAll { ["INVALID", "EXPECTED"].contains($0) }
            let isVersion1 = words.first == "v1"
            if isVersion1 { words.removeFirst() }
            // The one whose name doesn't say what is wrong as.
            var name = document.name.hasPrefix("v1-INVALID") ? "feed" : words[0]
            if words.dropFirst().first == "list", name == "feed" { name = "feeds" }
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
    func read(_ test: Case) throws {
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
