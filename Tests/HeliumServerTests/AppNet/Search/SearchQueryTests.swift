import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Queries of App.net's searches", .timeLimit(.minutes(5)))
struct SearchQueryTests {
    @Test(
        "find words, phrases, alternatives and what must not occur",
        arguments: [
            ("swift", true), ("SWIFT", true), ("swi", false), ("swift fun", true), ("swift dull", false),
            ("+swift +fun", true), ("swift -dull", true), ("swift -fun", false), ("-fun", false), ("-dull", true),
            (#""is fun""#, true), (#""fun is""#, false), (#"-"is fun""#, false), ("dull OR fun", true),
            ("dull OR sad OR fun", true), ("dull OR sad", false), ("swift dull OR fun", true),
            ("#code", true), ("#swift", false), ("@bob", true), ("@alice", false), ("\"#swift\"", true),
            ("OR swift", true), ("swift OR", true), ("\"is fun", true), ("naïve", true),
        ]
    )
    func find(text: String, expected: Bool) throws {
        let entities = AppNetEntities(
            mentions: [.init(name: "bob", id: 2, position: 0, length: 4)],
            hashtags: [.init(name: "code", position: 0, length: 5)]
        )
        let document = SearchDocument(text: "@bob Swift is fun, naïve #code", entities: entities)
        #expect(try SearchQuery(text, findsEntities: true).matches(document) == expected)
    }

    @Test("take # and @ for ornaments where they are told to")
    func plain() throws {
        let document = SearchDocument(text: "swift")
        #expect(try SearchQuery("#swift", findsEntities: false).matches(document))
        #expect(try !SearchQuery("#swift", findsEntities: true).matches(document))
    }

    @Test(
        "without a word are refused: they would find everything",
        arguments: ["!!!", "((((", "\u{FFFD}", "- +", "OR"]
    )
    func wordless(_ text: String) {
        #expect(throws: AppNetFailure.badRequest("A query needs a word.")) {
            _ = try SearchQuery(text, findsEntities: false)
        }
    }

    @Test("have a ceiling")
    func ceiling() throws {
        let words = Array(repeating: "a", count: 51).joined(separator: " ")
        #expect(throws: AppNetFailure.self) { _ = try SearchQuery(words, findsEntities: true) }
    }

    @Test(
        "know the domains of links",
        arguments: [
            ("http://www.example.com/a", "example.com"), ("https://Example.com:8080?x", "example.com"),
            ("https://me@example.com", "example.com"), ("example.com", nil), ("http://", nil),
        ] as [(String, String?)]
    )
    func domains(url: String, domain: String?) { #expect(SearchDocument.domain(url) == domain) }
}
