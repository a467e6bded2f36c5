internal import Foundation

/// The text of the index for Chinese, Japanese and Korean, whose words are not separated by spaces.
///
/// The index holds the overlapping pairs of each run of CJK characters, and the last character of the run: 日本語 becomes
/// `日本 本語 語`. A word of two characters is one token, a longer one a phrase, and a single character a prefix. Letters and
/// digits in the same word are tokens of their own: `iPhone手机` becomes `iphone · 手机 机`.
enum CJKPairs {
    /// A token that no query has: it keeps phrases from going across parts of the text.
    private static let boundary = "·"

    /// The tokens of a text, separated by spaces; `nil` if it has no CJK characters.
    static func indexed(_ text: String) -> String? {
        guard mayContainCJK(text) else { return nil }
        var tokens: [String] = []
        for word in words(of: normalized(text)) where word.contains(where: isCJK) {
            for piece in pieces(of: word) {
                if !tokens.isEmpty { tokens.append(boundary) }
                tokens +=
                    piece.isCJK ? pairs(piece.scalars) + [String(piece.scalars[piece.scalars.count - 1])] : [piece.text]
            }
        }
        return tokens.isEmpty ? nil : tokens.joined(separator: " ")
    }

    /// The full-text pattern that finds a word with CJK characters; `nil` for other words.
    ///
    /// - Parameter isPrefix: Whether the word may go on.
    static func pattern(for word: String, isPrefix: Bool) -> String? {
        guard mayContainCJK(word) else { return nil }
        let pieces = words(of: normalized(word)).filter { $0.contains(where: isCJK) }.flatMap(pieces(of:))
        let terms = pieces.enumerated().map { index, piece -> String in
            let isLast = index == pieces.count - 1
            if !piece.isCJK { return "\"\(piece.text)\"" + (isLast && isPrefix ? "*" : "") }
            if piece.scalars.count == 1 { return "\"\(piece.text)\"*" }
            return "\"" + pairs(piece.scalars).joined(separator: " ") + "\""
        }
        return terms.isEmpty ? nil : terms.joined(separator: " AND ")
    }

    /// The runs of CJK characters in a word as it was written, for highlighting.
    static func runs(in word: String) -> [String] {
        pieces(of: Array(word.unicodeScalars)).filter(\.isCJK).map(\.text)
    }

    // MARK: Parts of words

    private struct Piece {
        var isCJK: Bool
        var scalars: [Unicode.Scalar]

        var text: String { CJKPairs.text(scalars[...]) }
    }

    private static func pairs(_ scalars: [Unicode.Scalar]) -> [String] {
        scalars.indices.dropLast().map { text(scalars[$0...($0 + 1)]) }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func words(of text: String) -> [[Unicode.Scalar]] {
        text.unicodeScalars.split { !SearchText.isWordScalar($0) }.map(Array.init)
    }

    private static func pieces(of word: [Unicode.Scalar]) -> [Piece] {
        var pieces: [Piece] = []
        for scalar in word {
            let isCJK = isCJK(scalar)
            if let last = pieces.last, last.isCJK == isCJK {
                pieces[pieces.count - 1].scalars.append(scalar)
            } else {
                pieces.append(Piece(isCJK: isCJK, scalars: [scalar]))
            }
        }
        return pieces
    }

    /// The compatibility mapping of Foundation on Linux leaves the marks of half-width kana apart, so that they are composed.
    private static func normalized(_ text: String) -> String {
        text.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping.lowercased()
    }

    // MARK: Characters

    /// Every CJK character takes three or four bytes, the first of which is at least 0xE1.
    private static func mayContainCJK(_ text: String) -> Bool {
        text.utf8.contains { $0 >= 0xE1 } && text.unicodeScalars.contains(where: isCJK)
    }

    static func isCJK(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
