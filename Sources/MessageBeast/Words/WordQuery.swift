/// A full-text query, for the indexes of this version and for those of the schemas before 3.
struct WordQuery: Hashable, Sendable {
    /// The pattern for a ``WordIndex``.
    let pattern: String
    /// The pattern for the old index of words; `nil` if no word needs it.
    let legacyWords: String?
    /// The pattern for the old index of CJK characters; `nil` if no word needs it.
    let legacyCharacters: String?
    /// The words to highlight.
    let words: [SearchWord]
}

extension SearchText {
    /// The query that requires all words; `nil` if there is no word to search for.
    var query: WordQuery? {
        guard !words.isEmpty else { return nil }
        func joined(_ patterns: [String]) -> String? { patterns.isEmpty ? nil : patterns.joined(separator: " AND ") }
        let ordinary = words.filter { !$0.tokens.contains(where: \.isCJK) }
        let others = words.filter { $0.tokens.contains(where: \.isCJK) }
        return WordQuery(
            pattern: words.map(\.pattern).joined(separator: " AND "),
            legacyWords: joined(ordinary.map(\.pattern)),
            legacyCharacters: joined(others.flatMap(\.legacyPatterns)),
            words: words
        )
    }
}

extension SearchWord {
    /// The patterns for the old index of CJK characters, which has marks between the runs of a word.
    fileprivate var legacyPatterns: [String] {
        tokens.indices.map { index in
            let token = tokens[index]
            let isBeginning = token.isCJK ? token.scalars.count == 1 : isPrefix && index == tokens.count - 1
            return "\"\(token.text)\"" + (isBeginning ? "*" : "")
        }
    }
}
