import Foundation
import GRDB
import TestSupport
import Testing

@testable import MessageBeast

@Suite("Words of texts and searches", .timeLimit(.minutes(5)))
struct WordTests {
    @Test(
        "words are found beside emoji, currency signs and marks of direction, and by the whole text",
        arguments: [
            ("ticket 100₽ today", ["100₽", "100", "ticket 100"]), ("🙂hello there", ["hello", "🙂hello"]),
            ("nice👍🏽thanks", ["thanks", "nice", "nice👍🏽thanks"]), ("price ₺50 net", ["50", "₺50"]),
            ("name \u{2066}Alice\u{2069} here", ["Alice", "alice here"]), ("1\u{FE0F}\u{20E3} first", ["1", "first"]),
            ("5\u{FE0F}\u{20E3}apples", ["5", "apples", "5\u{FE0F}\u{20E3} apples"]),
            ("pay 5\u{20E3}€", ["5", "pay 5"]), ("ℹ\u{FE0F}info", ["info", "ℹ info"]), ("moreℹhere", ["more", "here"]),
            ("Ⓜ\u{FE0F}etro", ["etro"]), ("a\u{20DD}b", ["ab"]),
            ("①apple pie", ["apple pie", "1", "①"]), ("❶apple⑵pie", ["apple", "pie", "2", "❶ apple"]),
            ("5½cup flour", ["5", "cup flour", "5½", "5 ½ cup"]), ("🄁third", ["third"]),
        ]
    )
    func signs(text: String, searches: [String]) throws {
        let journal = try Journal()
        let place = LocationTests.ohai(text, 1, 2, id: "u1")
        try journal.store([Journal.message(1, text, annotations: [place])])
        for search in searches + [text] {
            #expect(try journal.search(search) == [1], "\(search)")
            #expect(try journal.search(search + " ") == [1], "\(search)")
            #expect(try journal.read { try $0.search(placeName: search, in: Journal.channel).count } == 1, "\(search)")
            for unused in [false, true] {
                let places = try journal.writer.read {
                    try PlaceReader(database: $0).places(matching: search, includesUnused: unused)
                }
                #expect(places.count == 1, "\(search)")
            }
        }
        try journal.expectSound()
    }

    @Test(
        "case, width, compatibility variants and marks that a script allows to leave out are ignored",
        arguments: [
            ("Ёлка й", ["Е\u{308}лка и\u{306}", "елка", "ЁЛКА"]), ("Е\u{308}лка и\u{306}", ["Ёлка й", "й"]),
            ("ὀδός", ["οδος", "ΟΔΟΣ", "ὀδός"]), ("σισυφος", ["σισυφοσ", "ΣΙΣΥΦΟΣ"]), ("שָׁלוֹם", ["שלום"]),
            ("مُحَمَّد أحمد", ["محمد", "احمد"]), ("ﬁnd", ["find", "FIND", "ﬁnd"]), ("ａｂｃ１", ["abc1"]),
            ("Straße", ["strasse", "STRASSE", "STRAẞE", "straße"]), ("İstanbul", ["istanbul", "İSTANBUL"]),
            ("Łódź", ["lodz", "łódź", "ŁÓDŹ"]), ("Øre Đuro", ["ore", "øre", "duro"]), ("m²", ["m2"]),
            ("co\u{AD}operate", ["cooperate"]), ("\u{1112}\u{1161}\u{11AB}국", ["한국"]),
            ("한국", ["\u{1112}\u{1161}\u{11AB}국"]),
            ("カ\u{3099}ム", ["ガム", "ｶﾞﾑ"]), ("हिन्दी", ["हिन्दी"]), ("กุ่", ["ก\u{E48}\u{E38}"]),
        ]
    )
    func folding(text: String, searches: [String]) throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, "before \(text) after")])
        for search in searches + [text] {
            #expect(try journal.search(search + " ") == [1], "\(search)")
            let quoted = "\"\(search)\""
            #expect(
                try journal.read { try $0.search(pattern: quoted, in: Journal.channel).count } == 1,
                "\(search)"
            )
        }
    }

    @Test(
        "an apostrophe is between words, and so are the letters that are typed as one",
        arguments: ["don't", "Hawai'i", "м'ята", "l'eau", "Qur'an", "o'zbek"]
    )
    func apostrophes(word: String) throws {
        let apostrophes = ["'", "\u{2019}", "\u{FF07}", "\u{2BB}", "\u{2BC}", "\u{2BE}", "\u{A78C}"]
        let forms = apostrophes.map { word.replacingOccurrences(of: "'", with: $0) }
        let journal = try Journal()
        let ids = forms.indices.map { $0 + 1 }
        try journal.store(zip(ids, forms).map { Journal.message($0, "before \($1) after") })
        for search in forms + word.split(separator: "'").map(String.init) {
            #expect(try journal.search(search + " ").sorted() == ids, "\(search)")
        }
        #expect(try journal.search(word.replacingOccurrences(of: "'", with: "") + " ") == [])
    }

    @Test(
        "words that differ in more than that are different",
        arguments: [
            ("कुल", "कल"), ("ガ", "カ"), ("æon", "aeon"), ("þorn", "thorn"), ("กา", "กิ"), ("ғ", "г"), ("5½", "51"),
        ]
    )
    func differences(text: String, search: String) throws {
        let journal = try Journal()
        try journal.store([Journal.message(1, text)])
        #expect(try journal.search(text + " ") == [1])
        #expect(try journal.search(search + " ") == [])
    }

    /// Ranges of the characters, small enough for a test of a second each. The planes between have no characters but
    /// ideographs.
    private static let ranges: [Range<UInt32>] =
        stride(from: 0, to: 0x2_0000, by: 0x800).map { $0..<$0 + 0x800 }
        + [0x2_0000..<0x3_4000, 0xE_0000..<0xE_1000, 0xF_FF00..<0x10_0100, 0x10_FF00..<0x11_0000]

    /// Returns the distance to the next character that is tested: one in five, and fewer of the ideographs, the syllables
    /// and the scripts of the first supplementary plane, which are alike. The full run tests all.
    private static func step(after value: UInt32) -> UInt32 {
        if let duration = ProofLength.duration, duration >= .seconds(20) { return 1 }
        switch value {
        case 0x3400..<0xA000, 0xAC00..<0xF900, 0x1_0000..<0x1_D000, 0x2_0000...: return 61
        default: return 5
        }
    }

    @Test("a text with any character is found by itself, composed, decomposed and in other cases", arguments: ranges)
    func everyCharacter(range: Range<UInt32>) throws {
        let database = try DatabaseQueue()
        let missing = try database.write { database -> [String] in
            try database.execute(sql: "CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'ascii')")
            let insertion = try database.makeStatement(sql: "INSERT INTO words (rowid, text) VALUES (1, ?)")
            let deletion = try database.makeStatement(sql: "DELETE FROM words")
            let search = try database.makeStatement(sql: "SELECT rowid FROM words WHERE words MATCH ?")
            var missing: [String] = []
            var value = range.lowerBound
            while value < range.upperBound {
                defer { value += Self.step(after: value) }
                guard value > 0, let scalar = Unicode.Scalar(value) else { continue }
                let text = "q\(scalar)z x"
                try insertion.execute(arguments: [IndexedText.words(of: text)])
                for form in Self.forms(of: text) {
                    guard let pattern = SearchText(form, isPrefix: false).query?.pattern,
                        try Int.fetchOne(search, arguments: [pattern]) != nil
                    else {
                        missing.append("U+\(String(value, radix: 16))")
                        break
                    }
                }
                try deletion.execute()
            }
            return missing
        }
        #expect(missing == [])
    }

    /// Returns the forms of a text that differ.
    private static func forms(of text: String) -> [String] {
        var forms = [text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping]
        // The iota below a vowel is a mark, but its upper case is a letter.
        if !forms[1].unicodeScalars.contains("\u{345}") { forms += [text.uppercased(), text.lowercased()] }
        var seen: Set<[UInt8]> = []
        return forms.filter { seen.insert(Array($0.utf8)).inserted }
    }

    @Test("an ASCII text is indexed as it is, and other texts are folded without a copy of each character")
    func forms() {
        #expect(IndexedText.words(of: "Hello, World_1!") == "Hello, World_1!")
        #expect(IndexedText.words(of: "Héllo, World_1!") == "hello world 1")
        #expect(IndexedText.words(of: "Café手机很好 日") == "cafe 手机 机很 很好 好 日")
        #expect(IndexedText.words(of: "🙂 ₽") == "")
    }

    @Test(
        "a text without letters and digits cannot be searched for",
        arguments: [
            ("🙂", false), ("₽ …", false), ("", false), ("\u{301}", false), ("#", false), ("ℹ\u{FE0F}", false),
            ("a", true), ("٣", true),
            ("日", true), ("🙂 x", true),
        ]
    )
    func searchable(text: String, isSearchable: Bool) {
        #expect(MessageManager.hasSearchableWords(text) == isSearchable)
    }

    @Test("phrases of patterns are folded, and operators, columns and distances are kept")
    func patterns() throws {
        let journal = try Journal()
        try journal.store([Journal.message(2, "Ёлка красная, 日本語 手"), Journal.message(1, "красный дом")])
        let expected: [(String, [Int])] = [
            ("елка", [2]), ("КРАСНАЯ NOT дом", [2]), ("\"елка красная\"", [2]), ("красн*", [2, 1]), ("text: ЕЛКА", [2]),
            ("{text}: ёлка", [2]), ("NEAR(ёлка 手, 9)", [2]), ("NEAR(ёлка 手, 1)", []), ("日本語", [2]), ("本", [2]),
            ("елка + красная", [2]), ("^ёлка", [2]), ("^красная", []), ("\"🙂\" OR дом", [1]), ("日 AND ёлка", [2]),
        ]
        for (pattern, ids) in expected {
            let found = try journal.read {
                journal.ids(try $0.search(pattern: pattern, in: Journal.channel).map(\.message))
            }
            #expect(found == ids, "\(pattern)")
        }
        let hits = try journal.read { try $0.search(pattern: "елка 本", in: Journal.channel) }
        let text = "Ёлка красная, 日本語 手"
        #expect(hits.flatMap(\.matches).map { String(text[$0]) } == ["Ёлка", "本"])
    }
}
