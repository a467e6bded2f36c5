import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Work of a search", .timeLimit(.minutes(5)))
struct SearchLimitTests {
    @Test("a search that reads too many objects or bytes is 400, unless its page is full before")
    func ceilings() async throws {
        for change in [{ $0.maxima.searchedObjects = 3 }, { $0.maxima.searchedBytes = 20 }]
            as [(inout AppNetServerConfiguration) -> Void]
        {
            try await withAppNet(change) { alice in
                let channel = try await alice.createChannel()
                for number in 0..<4 {
                    try await alice.createMessage("word \(number)", in: channel)
                    try await alice.post("posts", #"{"text":"word \#(number)"}"#)
                }
                let messages = "channels/messages/search?channel_ids=\(channel)"
                // Words narrow a search down to what has them: what is looked at and not found has the word.
                let query = "query=word&is_reply=1"
                for path in ["posts/search?\(query)", "posts/search?\(query)&order=score", "\(messages)&\(query)"] {
                    let answer = try await alice.send("GET", path)
                    #expect(answer.status == 400 && answer.message.contains("too many"), "\(path): \(answer.text)")
                }
                #expect(try await alice.get("posts/search?query=word&count=2").arrayValue?.count == 2)
                #expect(try await alice.send("GET", "posts/search?\(query)&before_id=3").status == 200)
            }
        }
        try await withAppNet({ $0.maxima.searchedObjects = 3 }) { alice in
            for _ in 0..<4 { _ = try await alice.createChannel() }
            for order in ["popularity", "id", "activity"] {
                let path = "channels/search?type=com.example.other&order=\(order)"
                #expect(try await alice.send("GET", path).status == 400, "\(order)")
            }
        }
    }

    @Test("the words of a search are limited, also in phrases")
    func words() throws {
        let phrase = { (count: Int) in "\"\(Array(repeating: "a", count: count).joined(separator: " "))\"" }
        #expect(try SearchQuery(phrase(200), findsEntities: false).required.count == 1)
        #expect(throws: AppNetFailure.badRequest("A query has at most 200 words.")) {
            try SearchQuery("\(phrase(150)) \(phrase(51))", findsEntities: false)
        }
    }

    @Test("the work of a search grows with the text and its terms, whatever they contain")
    func phrases() throws {
        let text = Array(repeating: "a", count: 100_000).joined(separator: " ")
        let phrase = "\"\(Array(repeating: "a", count: 199).joined(separator: " ")) b\""
        let document = SearchDocument(text: text)
        #expect(try !SearchQuery(phrase, findsEntities: false).matches(document))
        #expect(try SearchQuery("\"a a\"", findsEntities: false).score(document) == 99_999)
    }

    @Test(
        "occurrences of a pattern in a text are counted, also overlapping ones",
        arguments: [("aab", "aaab", 1), ("aa", "aaaa", 3), ("abab", "ababab", 2), ("", "abc", 0), ("abc", "ab", 0)]
    )
    func patterns(pattern: String, text: String, count: Int) {
        let pattern = SequencePattern(Array(pattern.utf8))
        #expect(pattern.occurrences(in: Array(text.utf8)) == count)
        #expect(pattern.occurrences(in: Array(text.utf8), upTo: 1) == min(count, 1))
    }

    @Test("a search finds words in composed and decomposed form")
    func forms() throws {
        let document = SearchDocument(text: "Cafe\u{301}, naïve")
        #expect(try SearchQuery("caf\u{E9} nai\u{308}ve", findsEntities: false).matches(document))
        #expect(SearchDocument.words(of: "e\u{301}a 1_b-\u{301}c") == ["e\u{301}a", "1_b", "c"])
    }
}
