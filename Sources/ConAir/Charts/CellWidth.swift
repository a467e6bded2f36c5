/// The width of text on a terminal, in cells. A cell is the width of a digit.
///
/// Ideographs, emoji and flags take two cells, and marks on a letter none. The rule is approximate, because terminals and
/// fonts differ.
package enum CellWidth {
    /// Returns the width of printable text: the sum of its characters.
    ///
    /// Takes time proportional to the length of the text.
    package static func of(_ text: String) -> Int {
        // Most texts are ASCII.
        text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
    }

    /// Returns the width of a character. Emoji with modifiers, joiners or a variation selector have the width of one
    /// emoji.
    private static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count > 1, first.properties.isEmoji, !isRegionalIndicator(first) {
            if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
        }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// Returns the width of a printable scalar beside others.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar == "\u{AD}" ? 0 : 1 }
        switch scalar.value {
        // The vowels and final consonants of a decomposed Korean syllable, which are drawn over its first consonant.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return isMark(scalar) ? 0 : 2
        // A flag consists of two.
        case _ where isRegionalIndicator(scalar): return 1
        case 0x1F300...0x1FAFF: return 2
        default: return isMark(scalar) ? 0 : scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool { 0x1F1E6...0x1F1FF ~= scalar.value }

    /// Returns whether a scalar has no width of its own: a mark on the letter before it, or a format character.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }
}
