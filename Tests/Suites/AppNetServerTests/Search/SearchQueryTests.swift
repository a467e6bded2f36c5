import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Queries of App.net's searches", .timeLimit(.minutes(5)))
struct SearchQueryTests {
    @Test(
        "a search query has words, phrases, alternatives and excluded words",
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

    @Test("a search query without entities ignores # and @")
    func plain() throws {
        let document = SearchDocument(text: "swift")
        #expect(try SearchQuery("#swift", findsEntities: false).matches(document))
        #expect(try !SearchQuery("#swift", findsEntities: true).matches(document))
    }

    @Test(
        "a search query without a word is refused",
        arguments: ["!!!", "((((", "\u{FFFD}", "- +", "OR"]
    )
    func wordless(_ text: String) {
        #expect(throws: AppNetFailure.badRequest("A query needs a word.")) {
            _ = try SearchQuery(text, findsEntities: false)
        }
    }

    @Test("the length of a search query is limited")
    func ceiling() throws {
        let words = Array(repeating: "a", count: 51).joined(separator: " ")
        #expect(throws: AppNetFailure.self) { _ = try SearchQuery(words, findsEntities: true) }
    }

    @Test(
        "a search query finds links by their domains",
        arguments: [
            ("http://www.example.com/a", "example.com"), ("https://Example.com:8080?x", "example.com"),
            ("https://me@example.com", "example.com"), ("example.com", nil), ("http://", nil),
        ] as [(String, String?)]
    )
    func domains(url: String, domain: String?) { #expect(SearchDocument.domain(url) == domain) }
}
