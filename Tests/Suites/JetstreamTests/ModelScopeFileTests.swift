import Foundation
import HeliumJSON
import Jetstream
import JetstreamHosting
import TestSupport
import Testing

@Model
class Page {
    var title = "untitled"
    var count = 0
    var due: Date?
    var tags: [String] = []
    var mood = Mood.calm
    var moods: [Mood] = []
    var lastMood: Mood?
    var form = Form(rawValue: 2.5)
    var sections: [Section] = []
    var first: Section?
    weak var pinned: Section?
    @Key("wire name") var renamed = true
    @Local var isOpen = false
    @Composite(\.title) var shout: String { title.uppercased() }

    enum Mood: String, ModelScalar, CaseIterable { case calm, wild }
    struct Form: RawRepresentable, ModelScalar { var rawValue: Double }
}

@Model
class Section {
    var text = ""
    var mood = Mood.low
    var owner: Page?

    enum Mood: Int, ModelScalar, CaseIterable { case low = 1, high }
}

@Model
final class Quote: Section {
    var source = "unknown"
    var size: CGFloat = 12
}

@Model
@ClassName("Page")
final class OtherPage {
    var page: Page?
}

@Suite("The scope file of model classes", .timeLimit(.minutes(5)))
struct ModelScopeFileTests {
    @Test("the scope file of model classes has their types and defaults, and JetstreamHosting reads it")
    func classes() throws {
        let models = try ModelScopeFile(scope: "Book", root: Page.self, subclasses: [Quote.self])
        let expected = #"""
            {"enumerations":{
               "Mood":{"type":"string","values":["calm","wild"]},"Section.Mood":{"type":"number","values":[1,2]}},
             "classes":{
               "Page":{"properties":{
                 "title":{"type":"string","default":"untitled"},"count":{"type":"number","default":0},"due":"date",
                 "tags":["string"],"mood":{"type":"Mood","default":"calm"},"moods":["Mood"],"lastMood":"string",
                 "form":{"type":"number","default":2.5},"sections":["Section"],"first":"Section","pinned":"Section",
                 "wire name":{"type":"boolean","default":true}}},
               "Quote":{"inherits":"Section","properties":{
                 "source":{"type":"string","default":"unknown"},"size":{"type":"number","default":12}}},
               "Section":{"properties":{
                 "text":{"type":"string","default":""},"mood":{"type":"Section.Mood","default":1},"owner":"Page"}}},
             "scopes":{"Book":{"root":"Page"}}}
            """#
        #expect(models.value == (try JSONValue(parsing: Array(expected.utf8))))
        let file = try ScopeFile(parsing: models.data())
        #expect(file.classes.map(\.name) == ["Page", "Quote", "Section"])
        #expect(try ScopeFile(models.value) == file)
    }

    @Test("a prototype becomes the initial tree of a scope file, with shared objects and cycles")
    func initial() throws {
        let (page, section, quote) = (Page(), Section(), Quote())
        page.title = "Demo"
        page.lastMood = .wild
        (quote.text, quote.owner) = ("To be", page)
        page.first = quote
        page.sections = [section, quote]
        page.pinned = section
        var models = try ModelScopeFile(scope: "Empty", root: Section.self)
        try models.addScope("Book", initial: page)
        let initial = models.value["scopes", "Book", "initial"]
        let pageID = JSONValue.string(page.uuid.uuidString.lowercased())
        let (sectionID, quoteID) = (
            section.uuid.uuidString.lowercased(), JSONValue.string(quote.uuid.uuidString.lowercased())
        )
        let expected: JSONValue = [
            "$uuid": pageID, "title": "Demo", "lastMood": "wild", "pinned": .string(sectionID),
            "sections": [
                ["$uuid": .string(sectionID)],
                ["$uuid": quoteID, "$cls": "Quote", "text": "To be", "owner": pageID],
            ],
            "first": quoteID,
        ]
        #expect(initial == expected)
        let file = try ScopeFile(parsing: models.data())
        #expect(file.scopes.map(\.name) == ["Empty", "Book"])
        #expect(page.scope == nil)
    }

    @Test("two classes of one name, and a tree that is too deep, are errors of a scope file")
    func errors() throws {
        let clash = #expect(throws: JetstreamError.self) {
            _ = try ModelScopeFile(scope: "Book", root: OtherPage.self)
        }
        #expect(clash?.kind == .invalidConfiguration)
        let first = Link()
        var last = first
        for _ in 0..<252 {
            let next = Link()
            last.next = next
            last = next
        }
        var models = ModelScopeFile()
        try models.addScope("Chain", initial: first)
        _ = try ScopeFile(parsing: models.data())
        last.next = Link()
        let depth = #expect(throws: JetstreamError.self) { try models.addScope("Longer", initial: first) }
        #expect(depth?.kind == .invalidConfiguration)
    }

    @Test("a server hosts model classes, and clients of these classes work with it")
    @MainActor
    func live() async throws {
        let prototype = Page()
        prototype.sections = [Quote()]
        prototype.sections[0].text = "first"
        var models = ModelScopeFile()
        try models.addScope("Book", initial: prototype)
        var configuration = JetstreamServer.Configuration(scopes: try ScopeFile(models.value))
        configuration.port = 0
        let server = try JetstreamServer(configuration)
        let running = Task { try await server.run() }
        let url = try await server.ready().webSocket
        let clients = try (0..<2).map { _ in try JetstreamClient(url: url) }
        let pages = [Page(), Page()]
        let scopes = pages.map { Scope(name: "Book", root: $0, subclasses: [Quote.self]) }
        for (client, scope) in zip(clients, scopes) {
            client.connect()
            try await client.fetch(scope)
        }
        #expect(pages[1].title == "untitled" && (pages[1].sections.first as? Quote)?.source == "unknown")
        #expect(pages[1].sections.first?.text == "first" && pages[1].renamed && pages[1].form.rawValue == 2.5)
        let set = scopes[0].modify {
            pages[0].mood = .wild
            pages[0].due = Date(timeIntervalSince1970: 5)
            let quote = Quote()
            (quote.size, quote.mood, quote.owner) = (9.5, .high, pages[0])
            pages[0].sections.append(quote)
        }
        try await set.completion()
        try await eventually { pages[1].sections.count == 2 }
        let quote = try #require(pages[1].sections.last as? Quote)
        #expect(quote.size == 9.5 && quote.mood == .high && quote.owner === pages[1] && pages[1].mood == .wild)
        #expect(pages[1].due == Date(timeIntervalSince1970: 5))
        for client in clients { await client.close() }
        running.cancel()
        _ = await running.result
    }
}
