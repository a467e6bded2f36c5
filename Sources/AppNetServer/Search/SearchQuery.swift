/// A query of a search (Docs/Protocols/AppNet.md §2.12). All words and `"phrases"` must occur. `+a` has the same
/// meaning as `a`. `-a` must not occur. For `a OR b`, one of the two must occur.
struct SearchQuery: Hashable, Sendable {
    enum Term: Hashable, Sendable {
        /// Consecutive words.
        case words([String])
        case hashtag(String)
        case mention(String)
    }

    /// The maximum number of terms in a query.
    static let maximumTerms = 50
    /// The maximum number of words in a query, including the words of its phrases.
    static let maximumWords = 200

    /// The required terms. One term of each list must occur.
    private(set) var required: [[Term]] = []
    private(set) var excluded: [Term] = []
    /// The words of the terms. Texts are searched once for all terms.
    private var vocabulary = SearchVocabulary()

    /// Parses a query.
    ///
    /// - Parameter findsEntities: Whether `#tag` and `@name` are hashtags and mentions, not words.
    /// - Throws: ``AppNetFailure`` with 400 for more than ``maximumTerms`` terms or ``maximumWords`` words, and for a
    ///   query without words, which would match all objects.
    init(_ text: String, findsEntities: Bool) throws(AppNetFailure) {
        var joinsNext = false
        let pieces = Self.pieces(of: text)
        try require(pieces.count <= Self.maximumTerms, "A query has at most \(Self.maximumTerms) terms.")
        for piece in pieces {
            if piece.text == "OR", !piece.isQuoted, piece.sign == nil {
                joinsNext = !required.isEmpty
                continue
            }
            guard let term = Self.term(piece, findsEntities: findsEntities) else { continue }
            if case .words(let words) = term { vocabulary.insert(words) }
            if piece.sign == "-" {
                excluded.append(term)
            } else if joinsNext, let last = required.indices.last {
                required[last].append(term)
            } else {
                required.append([term])
            }
            joinsNext = false
        }
        try require(vocabulary.wordCount <= Self.maximumWords, "A query has at most \(Self.maximumWords) words.")
        try require(!required.isEmpty || !excluded.isEmpty, "A query needs a word.")
    }

    func matches(_ document: SearchDocument) -> Bool {
        let words = vocabulary.numbers(of: document.words)
        return required.allSatisfy { $0.contains { document.occurrences($0, words, vocabulary) > 0 } }
            && !excluded.contains { document.occurrences($0, words, vocabulary) > 0 }
    }

    /// Returns the score of a matching document: the number of occurrences of the required terms.
    func score(_ document: SearchDocument) -> Int {
        let words = vocabulary.numbers(of: document.words)
        return required.reduce(0) { $0 + $1.reduce(0) { $0 + document.occurrences($1, words, vocabulary) } }
    }

    private struct Piece {
        var sign: Unicode.Scalar?
        var text = ""
        var isQuoted = false
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text.unicodeScalars[...]
        while true {
            rest = rest.drop(while: \.properties.isWhitespace)
            guard let first = rest.first else { return pieces }
            var piece = Piece()
            if first == "+" || first == "-" {
                piece.sign = first
                rest = rest.dropFirst()
            }
            let content: Substring.UnicodeScalarView
            if rest.first == "\"" {
                rest = rest.dropFirst()
                content = rest.prefix { $0 != "\"" }
                piece.isQuoted = true
                rest = rest[content.endIndex...].dropFirst()
            } else {
                content = rest.prefix { !$0.properties.isWhitespace }
                rest = rest[content.endIndex...]
            }
            piece.text = String(content)
            pieces.append(piece)
        }
    }

    private static func term(_ piece: Piece, findsEntities: Bool) -> Term? {
        let words = SearchDocument.words(of: piece.text)
        guard let first = words.first else { return nil }
        if findsEntities, !piece.isQuoted, words.count == 1 {
            if piece.text.hasPrefix("#") { return .hashtag(first) }
            if piece.text.hasPrefix("@") { return .mention(first) }
        }
        return .words(words)
    }
}
