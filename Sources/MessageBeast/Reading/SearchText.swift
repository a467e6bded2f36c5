internal import Foundation

/// A text that a user searches for: words that all have to be found. The last is a prefix, unless something follows it.
struct SearchText: Hashable, Sendable {
    /// The pattern for the full-text index; `nil` if no word needs it.
    let pattern: String?
    /// The pattern for the index of CJK text; `nil` if no word needs it.
    let characterPattern: String?
    /// The runs of CJK characters, as written.
    let characterRuns: [String]

    /// Whether there is nothing to search for.
    var isBlank: Bool { pattern == nil && characterPattern == nil }

    /// Splits any text into words. None of its characters has a meaning in patterns.
    init(_ text: String, isPrefix: Bool = true) {
        // The tokenizer makes no token of marks alone, such as the variation selector of an emoji: nothing would be found.
        let parts = text.unicodeScalars.split { !Self.isWordScalar($0) }
        let words = parts.filter { $0.contains(where: Self.isTokenScalar) }.map { String($0) }
        let isOpen =
            isPrefix && (text.unicodeScalars.last.map(Self.isWordScalar) ?? false)
            && (parts.last?.contains(where: Self.isTokenScalar) ?? false)
        var terms: [String] = []
        var characterTerms: [String] = []
        var runs: [String] = []
        for (index, word) in words.enumerated() {
            let isPrefix = isOpen && index == words.count - 1
            if let term = CJKPairs.pattern(for: word, isPrefix: isPrefix) {
                if !characterTerms.contains(term) { characterTerms.append(term) }
                runs += CJKPairs.runs(in: word)
            } else {
                let term = "\"\(word)\"" + (isPrefix ? "*" : "")
                if !terms.contains(term) { terms.append(term) }
            }
        }
        // SQLite limits the size of patterns. People type fewer words.
        pattern = terms.isEmpty ? nil : terms.prefix(Self.maximumWords).joined(separator: " AND ")
        characterPattern =
            characterTerms.isEmpty ? nil : characterTerms.prefix(Self.maximumWords).joined(separator: " AND ")
        characterRuns = runs
    }

    /// The number of different words that are searched for.
    static let maximumWords = 100

    /// Whether the character is part of a word: letters, marks, digits and characters for private use, as in SQLite's
    /// tokenizer `unicode61`.
    static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 {
            return 48...57 ~= scalar.value || 65...90 ~= scalar.value || 97...122 ~= scalar.value
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            return true
        default: return false
        }
    }

    /// Whether a word with this character is a token: any character of words but a mark.
    private static func isTokenScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: false
        default: isWordScalar(scalar)
        }
    }
}
