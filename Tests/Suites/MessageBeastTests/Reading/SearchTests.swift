import AppNet
import Foundation
import GRDB
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Searching texts of messages")
struct SearchTests {
    @Test(
        "a search finds words by their beginnings without case and diacritics, and hashtags with and without #",
        .behaviour(107)
    )
    func folding() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "Café #Pizza")])
        for text in ["cafe", "CAFÉ", "pizza", "#pizza", "piz", "caf piz"] {
            #expect(try journal.search(text) == (text == "caf piz" ? [] : [1]), "\(text)")
        }
        // Only the last word is a beginning, unless something follows it.
        #expect(try journal.search("cafe piz") == [1])
        #expect(try journal.search("piz ") == [])
    }

    @Test(
        "any search text is valid, and a blank one finds nothing",
        .behaviour(108),
        arguments: [
            "\"", "multi-agent", "a'b", "*", "NEAR(", "", "  ", "AND", "OR NOT", "text:hello", "^a", "{a b}: c", "a\0b",
            "+", "((((", "🙂", "\u{301}", "e\u{301}", "ﬁ", "%", "a AND", "-", "日", "·", "\u{2}", "İ", "\u{0E33}",
        ]
    )
    func anyInput(text: String) throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "hello multi agent a b")])
        for order in [SearchOrder.newestFirst, .rank] {
            for limit in [nil, 0, 5] {
                _ = try journal.read { try $0.search(text: text, in: Journal.channel, order: order, limit: limit) }
            }
        }
        _ = try journal.read { try $0.search(placeName: text, in: Journal.channel) }
        _ = try journal.writer.read { try PlaceReader(database: $0).places(matching: text, includesUnused: true) }
        if text.allSatisfy({ $0 == " " }) { #expect(try journal.search(text) == []) }
    }

    @Test(
        "marks without a letter are no search words",
        arguments: ["hello \u{2764}\u{FE0F}", "\u{2600}\u{FE0F} hello", "hello \u{301}"]
    )
    func marks(text: String) throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "hello \u{2764}\u{FE0F}")])
        #expect(try journal.search(text) == [1])
    }

    @Test("a search text of random characters or many words is no error", .tags(.random))
    func randomInput() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "hello")])
        var random = ProofLength.random(seed: 1)
        for _ in ProofLength.rounds(200) {
            var text = String.UnicodeScalarView()
            for _ in 0..<random.below(12) {
                let value = UInt32(random.below(random.oneIn(3) ? 0x11_0000 : 0x180))
                if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            }
            let found = try journal.search(String(text))
            #expect(found == [] || found == [1])
        }
        #expect(try journal.search((0..<5000).map { "word\($0)" }.joined(separator: " ")) == [])
        #expect(try journal.search(String(repeating: "語", count: 5000)) == [])
    }

    @Test("a search pattern has operators, and an invalid one is refused", .behaviour(108))
    func patterns() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2, "red green"), Journal.message(1, "red blue")])
        func find(_ pattern: String, limit: Int? = nil) throws -> [Int] {
            try journal.read { reader in
                journal.ids(try reader.search(pattern: pattern, in: Journal.channel, limit: limit).map(\.message))
            }
        }
        #expect(try find("red NOT blue") == [2])
        #expect(try find("\"red blue\"") == [1])
        #expect(try find("gr*") == [2])
        #expect(try find("green OR blue") == [2, 1])
        for pattern in ["AND", "\"", "NEAR(", "other: red", "*red", "", "red)"] {
            for limit in [nil, 0, 1] {
                let error = #expect(throws: MessageBeastError.self, "\(pattern)") { try find(pattern, limit: limit) }
                #expect(error?.kind == .invalidPattern)
            }
        }
    }

    @Test("Chinese, Japanese and Korean words are found from one character on")
    func characters() throws {
        let journal = try Journal()
        let texts = [
            1: "今日は日本語を勉強します", 2: "东京 大学", 3: "iPhone手机很好", 4: "한국어를 배우다", 5: "ｶﾞｷﾞ", 6: "plain",
        ]
        try journal.store(texts.keys.sorted(by: >).map { Journal.message($0, texts[$0]) })
        let expected: [(String, [Int])] = [
            ("日本", [1]), ("日本語", [1]), ("語", [1]), ("本日", []), ("东京大", []), ("大学", [2]), ("手机", [3]),
            ("iphone手机", [3]), ("iPhone手", [3]), ("한국", [4]), ("국어", [4]), ("ガギ", [5]), ("plain 日本", []), ("京大", []),
        ]
        for (text, ids) in expected { #expect(try journal.search(text) == ids, "\(text)") }
        try journal.expectSound()
    }

    @Test("words beside CJK characters are found without case, diacritics and variation marks")
    func foldedCharacters() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2, "Café手机"), Journal.message(1, "葛\u{E0100}飾区 か\u{309A}")])
        for text in ["cafe手机", "CAFÉ手", "Cafe\u{301}手机"] { #expect(try journal.search(text) == [2], "\(text)") }
        for text in ["葛飾", "葛\u{E0101}飾", "か\u{309A}"] { #expect(try journal.search(text) == [1], "\(text)") }
        #expect(try journal.search("か") == [1])
        #expect(try journal.search("cafè電") == [])
    }

    @Test("highlights are right in texts with control characters, half-width kana and repetitions")
    func difficultHighlights() throws {
        let journal = try Journal()
        let texts = ["\u{2}a\u{3} word \u{2}\u{3}word\u{3}", "ｶﾞｷﾞ カ", "語語語語", "e\u{301}\u{2} 日本\u{0} word"]
        try journal.store(texts.indices.reversed().map { Journal.message($0 + 1, texts[$0]) })
        func parts(_ text: String) throws -> [String] {
            try journal.read { reader in
                try reader.search(text: text, in: Journal.channel).flatMap { hit in
                    hit.matches.map { String((hit.message.message.text ?? "")[$0]) }
                }
            }
        }
        #expect(try parts("word") == ["word", "word", "word"])
        #expect(try parts("ガギ") == ["ｶﾞｷﾞ"])
        #expect(try parts("カ") == ["カ"])
        #expect(try parts("語語") == ["語語語語"])
        #expect(try parts("日本 word") == ["日本", "word"])
    }

    @Test("results of a search have highlights of the matches, and a snippet")
    func highlights() throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "🙂 Ein Café, zwei cafés und 日本語 dazu")])
        func parts(_ text: String) throws -> [String] {
            try journal.read { reader in
                try reader.search(text: text, in: Journal.channel).flatMap { hit in
                    hit.matches.map { String((hit.message.message.text ?? "")[$0]) }
                }
            }
        }
        #expect(try parts("cafe") == ["Café", "cafés"])
        #expect(try parts("日本") == ["日本"])
        #expect(try parts("zwei 語 caf") == ["Café", "zwei", "cafés", "語"])
        let long = String(repeating: "padding ", count: 30) + "needle " + String(repeating: "padding ", count: 30)
        try journal.store([Journal.message(2, long)])
        let hit = try #require(try journal.read { try $0.search(text: "needle", in: Journal.channel).first })
        #expect(hit.snippet(length: 40).contains("needle"))
        #expect(hit.snippet(length: 40).hasPrefix("…") && hit.snippet(length: 40).hasSuffix("…"))
    }

    @Test("a search by rank returns the best match first")
    func rank() throws {
        let journal = try Journal()
        try journal.store([
            Journal.message(3, "apple in a long text with many other words that are about something else entirely"),
            Journal.message(2, "nothing"), Journal.message(1, "apple apple"),
        ])
        let ids = try journal.read { reader in
            journal.ids(try reader.search(text: "apple", in: Journal.channel, order: .rank).map(\.message))
        }
        #expect(ids == [1, 3])
    }

    @Test("a search returns all of 1500 hits, newest first by display date", .behaviour(111))
    func manyHits() throws {
        let journal = try Journal { $0.dateAdapter = .ohaiDisplayDate }
        var messages = (1...1500).map { id -> Message in
            var message = Journal.message(id, "common #tag", annotations: [])
            message.addDisplayDate(Journal.start.addingTimeInterval(-Double(id)))
            return message
        }
        messages.reverse()
        try journal.store(messages)
        #expect(try journal.search("common") == Array(1...1500))
        #expect(try journal.read { try $0.messages(in: Journal.channel, hashtag: "tag").count } == 1500)
        #expect(try journal.search("common", limit: 3) == [1, 2, 3])
    }

    @Test("both strategies of a search find the same messages", .tags(.random), arguments: ProofLength.seeds(1))
    func strategies(seed: UInt64) throws {
        let journal = try Journal()
        var random = SeededRandom(seed: seed)
        let messages = (1...2000).reversed().map { id -> Message in
            let words = ["half", "rare", "some"].filter { word in
                random.oneIn(word == "half" ? 2 : word == "some" ? 10 : 300)
            }
            return Journal.message(
                id,
                "text \(words.joined(separator: " ")) #t\(random.below(3))",
                at: Double(random.below(500))
            )
        }
        try journal.store(messages)
        for text in ["half", "rare", "some", "half some", "missing"] {
            let all = try journal.search(text)
            for limit in [1, 10, 100, 3000] {
                #expect(try journal.search(text, limit: limit) == Array(all.prefix(limit)))
            }
            let tagged = try journal.read { reader in
                journal.ids(
                    try reader.search(text: text, in: Journal.channel, limit: 20, filter: SearchFilter(hashtag: "T1"))
                        .map(\.message)
                )
            }
            let withTag = Set(try journal.read { journal.ids(try $0.messages(in: Journal.channel, hashtag: "t1")) })
            #expect(tagged == Array(all.filter(withTag.contains).prefix(20)))
        }
        let cursor = try journal.read { try $0.page(of: Journal.channel, limit: 700).next }
        let later = try journal.read { reader in
            journal.ids(try reader.search(text: "half", in: Journal.channel, before: cursor).map(\.message))
        }
        let rest = Set(
            try journal.read { journal.ids(try $0.page(of: Journal.channel, after: cursor, limit: nil).messages) }
        )
        #expect(try later == journal.search("half").filter(rest.contains))
    }

    @Test("a search for CJK and other words requires both, in each order", arguments: [SearchOrder.newestFirst, .rank])
    func bothKinds(order: SearchOrder) throws {
        let journal = try Journal()
        let texts = ["common", "日本語", "common 日本語", "common 東京"]
        try journal.store((1...400).reversed().map { Journal.message($0, texts[$0 % 4]) })
        func find(_ text: String, limit: Int?) throws -> [Int] {
            try journal.read { reader in
                journal.ids(
                    try reader.search(text: text, in: Journal.channel, order: order, limit: limit).map(\.message)
                )
            }
        }
        let expected = (1...400).filter { $0 % 4 == 2 }
        #expect(try find("日本 common", limit: nil).sorted() == expected)
        #expect(try find("common 日本語", limit: 5).allSatisfy(expected.contains))
        #expect(try find("common 大阪", limit: 5) == [])
        let steps = try journal.steps { database in
            let reader = MessageReader(database: database, configuration: journal.configuration)
            _ = try reader.search(text: "common 日本", in: Journal.channel, order: order, limit: 5)
        }
        #expect(steps < 20_000, "\(steps)")
    }

    @Test("filters of a search by date, hashtag, annotation and place apply together")
    func filters() throws {
        let journal = try Journal()
        let mood = Annotation(type: "net.example.mood", value: ["level": 1])
        let home = LocationTests.ohai("Home", 1, 2)
        try journal.store([
            Journal.message(5, "word #tag", annotations: [mood, home]),
            Journal.message(4, "word #tag", annotations: [mood]),
            Journal.message(3, "word", annotations: [mood, home]),
            Journal.message(2, "other #tag", annotations: [mood, home]),
            Journal.message(1, "word #tag", annotations: [mood, home]),
        ])
        var filter = SearchFilter(hashtag: "TAG", annotationType: mood.type)
        filter.location = DisplayLocation(name: "Home", latitude: 1.0001, longitude: 2, source: .ohai)
        func find() throws -> [Int] {
            try journal.read { reader in
                journal.ids(try reader.search(text: "word", in: Journal.channel, filter: filter).map(\.message))
            }
        }
        #expect(try find() == [5, 1])
        filter.to = Journal.start.addingTimeInterval(5)
        #expect(try find() == [1])
        filter.from = Journal.start.addingTimeInterval(2)
        #expect(try find() == [])
        filter.annotationType = "net.example.none"
        #expect(throws: MessageBeastError.self) { try find() }
    }

    @Test("a search finds a word of old messages only, without reading newer messages")
    func oldHits() throws {
        let journal = try Journal()
        try journal.store((1...4000).reversed().map { Journal.message($0, $0 <= 400 ? "old" : "new") })
        for limit in [1, 10, 500] {
            #expect(try journal.search("old", limit: limit) == Array((1...400).reversed().prefix(limit)))
        }
        let steps = try journal.steps { database in
            let reader = MessageReader(database: database, configuration: journal.configuration)
            _ = try reader.search(text: "old", in: Journal.channel, limit: 1)
        }
        #expect(steps < 60_000, "\(steps)")
    }

    @Test("the work of a search depends on the page, and not on the number of hits")
    func work() throws {
        let journal = try Journal()
        let messages = (1...5000).reversed().map { id in
            Journal.message(id, id.isMultiple(of: 2) ? "half" : id % 1000 == 1 ? "rare" : "other")
        }
        try journal.store(messages)
        func steps(_ text: String) throws -> Int {
            try journal.steps { database in
                let reader = MessageReader(database: database, configuration: journal.configuration)
                _ = try reader.search(text: text, in: Journal.channel, limit: 50)
            }
        }
        let common = try steps("half")
        let rare = try steps("rare")
        #expect(common < 10_000 && rare < 10_000, "\(common), \(rare)")
    }
}
