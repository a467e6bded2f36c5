internal import Foundation
internal import HeliumJSON

/// The text of a user's search: words that must all match. The last word is a prefix, unless something follows it.
package struct SearchText: Hashable, Sendable {
    /// The pattern for the full-text index; `nil` if no word needs it.
    let pattern: String?
    /// The pattern for the index of CJK text; `nil` if no word needs it.
    let characterPattern: String?
    /// The runs of CJK characters, for highlighting.
    let characterRuns: [String]

    /// Whether there is nothing to search for.
    var isBlank: Bool { pattern == nil && characterPattern == nil }

    /// Splits any text into words. No character has a special meaning in the resulting patterns.
    package init(_ text: String, isPrefix: Bool = true) {
        let scalars = text.unicodeScalars.prefix(Self.maximumLength)
        // The tokenizer makes no token of marks alone, such as an emoji's variation selector, so such a word would find
        // nothing.
        let parts = scalars.split { !Self.isWordScalar($0) }
        let words = parts.filter { $0.contains(where: Self.isTokenScalar) }.map { String($0) }
        let isOpen =
            isPrefix && (scalars.last.map(Self.isWordScalar) ?? false)
            && (parts.last?.contains(where: Self.isTokenScalar) ?? false)
        var terms = Terms()
        var characterTerms = Terms()
        var runs: [String] = []
        for (index, word) in words.enumerated() {
            let isPrefix = isOpen && index == words.count - 1
            if let term = CJKPairs.pattern(for: word, isPrefix: isPrefix) {
                characterTerms.append(term)
                if runs.count < Self.maximumWords { runs += CJKPairs.runs(in: word) }
            } else {
                terms.append("\"\(word)\"" + (isPrefix ? "*" : ""))
            }
        }
        pattern = terms.pattern
        characterPattern = characterTerms.pattern
        characterRuns = runs
    }

    /// Distinct terms that must all match.
    private struct Terms {
        private var terms: [String] = []
        private var seen: Set<ByteText> = []

        mutating func append(_ term: String) {
            // SQLite limits the size of patterns. The limit is higher than the number of words that people type.
            if terms.count < SearchText.maximumWords, seen.insert(term) { terms.append(term) }
        }

        var pattern: String? { terms.isEmpty ? nil : terms.joined(separator: " AND ") }
    }

    /// The maximum number of characters that are searched for. The rest of a longer text is ignored.
    static let maximumLength = 10_000

    /// The maximum number of distinct words that are searched for.
    static let maximumWords = 100

    /// Returns whether a character is part of a word: letters, marks, digits and private-use characters, as in SQLite's
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

    /// Returns whether a word with this character is a token: any word character except a mark.
    private static func isTokenScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: false
        default: isWordScalar(scalar)
        }
    }
}
