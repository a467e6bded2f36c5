/// A query of a search (§2.12): words and `"phrases"`, all of which must occur; `+a` the same, `-a` must not, and of
/// `a OR b` one is enough.
struct SearchQuery: Hashable, Sendable {
    enum Term: Hashable, Sendable {
        /// Words that follow each other.
        case words([String])
        case hashtag(String)
        case mention(String)
    }

    static let maximumTerms = 50

    /// Of each list one must occur.
    private(set) var required: [[Term]] = []
    private(set) var excluded: [Term] = []

    /// Reads a query.
    ///
    /// - Parameter findsEntities: whether `#tag` and `@name` mean hashtags and mentions rather than words.
    /// - Throws: ``AppNetFailure`` with 400 for more than ``maximumTerms`` terms, and where there is no word: what asks
    ///   for nothing would find everything.
    init(_ text: String, findsEntities: Bool) throws(AppNetFailure) {
        var joinsNext = false
        let pieces = Self.pieces(of: text)
        guard pieces.count <= Self.maximumTerms else {
            throw .badRequest("A query has at most \(Self.maximumTerms) terms.")
        }
        for piece in pieces {
            if piece.text == "OR", !piece.isQuoted, piece.sign == nil {
                joinsNext = !required.isEmpty
                continue
            }
            guard let term = Self.term(piece, findsEntities: findsEntities) else { continue }
            if piece.sign == "-" {
                excluded.append(term)
            } else if joinsNext, let last = required.indices.last {
                required[last].append(term)
            } else {
                required.append([term])
            }
            joinsNext = false
        }
        guard !required.isEmpty || !excluded.isEmpty else { throw .badRequest("A query needs a word.") }
    }

    func matches(_ document: SearchDocument) -> Bool {
        required.allSatisfy { $0.contains(where: document.contains) } && !excluded.contains(where: document.contains)
    }

    /// How well a document fits that matches: the occurrences of what is asked for.
    func score(_ document: SearchDocument) -> Int {
        required.reduce(0) { $0 + $1.reduce(0) { $0 + document.occurrences($1) } }
    }

    private struct Piece {
        var sign: Character?
        var text = ""
        var isQuoted = false
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return pieces }
            var piece = Piece()
            if first == "+" || first == "-" {
                piece.sign = first
                rest = rest.dropFirst()
            }
            if rest.first == "\"" {
                rest = rest.dropFirst()
                piece.text = String(rest.prefix { $0 != "\"" })
                piece.isQuoted = true
                rest = rest.dropFirst(piece.text.count).dropFirst()
            } else {
                piece.text = String(rest.prefix { !$0.isWhitespace })
                rest = rest.dropFirst(piece.text.count)
            }
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
