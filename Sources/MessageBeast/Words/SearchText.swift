internal import HeliumJSON

/// The text of a user's search: words that must all match. The last word is a prefix, unless something follows it.
package struct SearchText: Hashable, Sendable {
    /// The distinct words, up to ``maximumWords``.
    let words: [SearchWord]

    /// Splits any text into words. No character has a special meaning in the resulting pattern.
    package init(_ text: String, isPrefix: Bool = true) {
        var words: [SearchWord] = []
        var seen: Set<SearchWord> = []
        var last: SearchWord?
        var scanner = WordScanner()
        let isOpen = scanner.scan(text.unicodeScalars.prefix(Self.maximumLength)) { word in
            if let last, words.count < Self.maximumWords, seen.insert(last).inserted { words.append(last) }
            last = SearchWord(word)
        }
        if var last, words.count < Self.maximumWords {
            last.isPrefix = isOpen && isPrefix
            if seen.insert(last).inserted { words.append(last) }
        }
        self.words = words
    }

    /// The maximum number of characters that are searched for. The rest of a longer text is ignored.
    static let maximumLength = 10_000

    /// The maximum number of distinct words that are searched for. SQLite limits the size of patterns. The limit is
    /// higher than the number of words that people type.
    static let maximumWords = 100
}

/// A word of a search, as the consecutive tokens of the index that it has.
struct SearchWord: Hashable, Sendable {
    /// The tokens.
    private(set) var tokens: [Token] = []
    /// Whether longer words match too.
    var isPrefix = false

    struct Token: Hashable, Sendable {
        let scalars: [Unicode.Scalar]
        let isCJK: Bool

        var text: String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
    }

    /// Creates a phrase of tokens.
    init(tokens: [Token], isPrefix: Bool) {
        self.tokens = tokens
        self.isPrefix = isPrefix
    }

    /// Creates a word of a search. CJK characters at its end match also if more of them follow.
    init(_ word: FoldedWord) {
        tokens = Self.tokens(of: word)
        dropClosing()
    }

    /// Removes the token that only the end of a run of CJK characters has.
    mutating func dropClosing() {
        if tokens.count > 1, tokens[tokens.count - 2].isCJK, tokens[tokens.count - 2].scalars.count == 2,
            tokens[tokens.count - 1].isCJK, tokens[tokens.count - 1].scalars.count == 1
        {
            tokens.removeLast()
        }
    }

    /// Returns the tokens of a word of a text.
    static func tokens(of word: FoldedWord) -> [Token] {
        var tokens: [Token] = []
        word.forEachToken { token in
            tokens.append(Token(scalars: Array(word.scalars[token.range]), isCJK: token.isCJK))
        }
        return tokens
    }

    /// Whether the last token matches the beginnings of tokens.
    var isLastTokenPrefix: Bool {
        guard let last = tokens.last else { return false }
        return last.isCJK ? last.scalars.count == 1 : isPrefix
    }

    /// The pattern for the full-text index: a phrase. Tokens contain no quotation marks.
    var pattern: String { phrase + (isLastTokenPrefix ? "*" : "") }

    /// The pattern without the asterisk of a prefix.
    var phrase: String { "\"\(tokens.map(\.text).joined(separator: " "))\"" }
}
