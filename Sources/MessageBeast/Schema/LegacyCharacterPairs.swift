internal import Foundation
internal import HeliumJSON

/// The text in the indexes of schema 2 for Chinese, Japanese and Korean, whose words are not separated by spaces.
///
/// It has the overlapping pairs of each run of CJK characters, and the last character of the run: 日本語 becomes
/// `日本 本語 語`. Letters and digits in the same word are separate tokens, without case and diacritics: `Café手机` becomes
/// `cafe · 手机 机`. ``SchemaVersion2`` fills the indexes with it. A released migration never changes, so this is not
/// ``WordScanner``.
enum LegacyCharacterPairs {
    /// A token that no query contains. It prevents phrases from matching across parts of the text.
    private static let boundary = "·"

    /// Returns the tokens of a text, separated by spaces; `nil` if it has no CJK characters.
    static func indexed(_ text: String) -> String? {
        guard mayContainCJK(text) else { return nil }
        var tokens = ""
        for piece in pieces(of: text) {
            if !tokens.isEmpty { tokens += " \(boundary) " }
            guard piece.isCJK else {
                tokens.unicodeScalars.append(contentsOf: piece.scalars)
                continue
            }
            for index in piece.scalars.indices.dropLast() {
                tokens.unicodeScalars.append(contentsOf: piece.scalars[index...index + 1])
                tokens += " "
            }
            tokens.unicodeScalars.append(contentsOf: piece.scalars.suffix(1))
        }
        return tokens.isEmpty ? nil : tokens
    }

    /// Returns whether a text may have CJK characters. Each takes three or four bytes, the first of which is at least
    /// 0xE1.
    private static func mayContainCJK(_ text: String) -> Bool {
        text.utf8.contains { $0 >= 0xE1 } && text.unicodeScalars.contains(where: Syllables.isCJK)
    }

    /// A part of a word with CJK characters: a run of CJK characters, or the letters and digits between two runs.
    private struct Piece {
        let isCJK: Bool
        let scalars: [Unicode.Scalar]
    }

    /// Returns the parts of those words of a text that have CJK characters, folded. Other words are left out.
    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var word: [Piece] = []
        var run: [Unicode.Scalar] = []
        var isRunCJK = false
        func endRun() {
            let scalars = isRunCJK ? run : withoutDiacritics(run)
            if !scalars.isEmpty { word.append(Piece(isCJK: isRunCJK, scalars: scalars)) }
            run.removeAll(keepingCapacity: true)
        }
        func endWord() {
            endRun()
            if word.contains(where: \.isCJK) { pieces += word }
            word.removeAll(keepingCapacity: true)
        }
        for scalar in normalized(text).unicodeScalars {
            guard isWordScalar(scalar) else {
                endWord()
                continue
            }
            let isCJK = Syllables.isCJK(scalar)
            // Marks that belong to no letter, such as variation selectors of CJK characters, are ignored.
            if !isCJK, isMark(scalar) { continue }
            if isCJK != isRunCJK { endRun() }
            isRunCJK = isCJK
            run.append(scalar)
        }
        endWord()
        return pieces
    }

    /// Returns a normalized text.
    ///
    /// On Linux, Foundation's compatibility composition leaves the marks of half-width kana separate, so the result is
    /// composed again.
    private static func normalized(_ text: String) -> String {
        if text.isSlowToCompare { return text.lowercased() }
        return text.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping.lowercased()
    }

    private static func withoutDiacritics(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if scalars.allSatisfy(\.isASCII) { return scalars }
        return scalars.flatMap { scalar in
            // One character at a time, so that a long run of letters does not produce a long run of marks.
            scalar.isASCII
                ? [scalar] : String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isMark($0) }
        }
    }

    /// Returns whether a character is part of a word: letters, marks, digits and private-use characters, as in SQLite's
    /// tokenizer `unicode61`.
    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
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

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
