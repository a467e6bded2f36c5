/// A query of a search (§2.12): words and `"phrases"`, all of which must occur; `+a` the same, `-a` must not, and of
/// `a OR b` one is enough.
struct SearchQuery: Hashable, Sendable {
    enum Term: Hashable, Sendable {
        /// Words that follow each other.
        case words([String])
        case hashtag(String)
        case mention(String)
    }

    /// The most terms of a query.
    static let maximumTerms = 50
    /// The most words of a query, those of its phrases together.
    static let maximumWords = 200

    /// Of each list one must occur.
    private(set) var required: [[Term]] = []
    private(set) var excluded: [Term] = []
    /// The words that the terms name, by which texts are looked through once for all terms.
    private var vocabulary = SearchVocabulary()

    /// Reads a query.
    ///
    /// - Parameter findsEntities: whether `#tag` and `@name` mean hashtags and mentions rather than words.
    /// - Throws: ``AppNetFailure`` with 400 for more than ``maximumTerms`` terms or ``maximumWords`` words, and where there
    ///   is no word: what asks for nothing would find everything.
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

    /// How well a document fits that matches: the occurrences of what is asked for.
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
