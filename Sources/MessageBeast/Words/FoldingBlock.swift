internal import Foundation
internal import HeliumConcurrency
internal import Synchronization

/// The folded forms of 256 neighbouring characters.
///
/// The form of a character has no case, no compatibility variants and no marks that its script allows to be left out. A
/// space separates words. An empty form means that the character is ignored.
final class FoldingBlock: Sendable {
    /// The form of each character, if it is one character. Otherwise ``ignored`` or ``several``.
    private let forms: [Unicode.Scalar]
    /// The forms of more than one character.
    private let others: [Unicode.Scalar: [Unicode.Scalar]]

    /// The mark of an empty form.
    private static let ignored: Unicode.Scalar = "\u{0}"
    /// The mark of a form in `others`.
    private static let several: Unicode.Scalar = "\u{1}"

    private init(_ number: Int) {
        var forms: [Unicode.Scalar] = []
        var others: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for value in UInt32(number << 8)..<UInt32((number + 1) << 8) {
            // Surrogates are not characters.
            guard let scalar = Unicode.Scalar(value) else {
                forms.append(Self.ignored)
                continue
            }
            let form = CharacterFolding.form(of: scalar)
            if form.count > 1 { others[scalar] = form }
            forms.append(form.count > 1 ? Self.several : form.first ?? Self.ignored)
        }
        self.forms = forms
        self.others = others
    }

    /// Calls `body` for each character of the form of a character of this block.
    @inline(__always)
    func forEachPart(of scalar: Unicode.Scalar, _ body: (Unicode.Scalar) -> Void) {
        let form = forms[Int(scalar.value & 0xFF)]
        switch form {
        case Self.ignored: return
        case Self.several: others[scalar]?.forEach(body)
        default: body(form)
        }
    }

    /// The blocks that were needed so far. Computing one takes less than a millisecond, and a script has few.
    private static let known = Guarded([FoldingBlock?](repeating: nil, count: 0x1100))

    /// Returns the block with a number: the value of its characters divided by 256.
    static func block(_ number: Int) -> FoldingBlock {
        if let block = known.withLock({ $0[number] }) { return block }
        // Another thread may compute the same block, with the same result.
        let block = FoldingBlock(number)
        known.withLock { $0[number] = block }
        return block
    }
}

/// The definition of the folded form of a character.
enum CharacterFolding {
    /// Returns the form of a character, computed without the blocks.
    static func form(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if scalar.isASCII {
            let value = UInt8(scalar.value)
            if 65...90 ~= value { return [Unicode.Scalar(value | 0x20)] }
            return 48...57 ~= value || 97...122 ~= value ? [scalar] : [separator]
        }
        guard let kind = Kind(scalar) else { return [separator] }
        if kind == .ignored { return [] }
        // Composed syllables and ideographs are their own forms.
        if 0xAC00...0xD7A3 ~= scalar.value || 0x4E00...0x9FFF ~= scalar.value || 0x3400...0x4DBF ~= scalar.value {
            return [scalar]
        }
        var form = [scalar]
        // The upper case of a letter may have a decomposition of its own, whose letters have other cases. No character
        // needs more than three rounds.
        for _ in 0..<4 {
            let next = withoutCase(decomposed(form))
            if next == form { break }
            form = next
        }
        // "5½cup" has the words "5", "1", "2" and "cup". Without separators, "5½" would begin with the number 51.
        return isNumberSign(scalar) ? [separator] + form + [separator] : form
    }

    /// Returns whether a character is a fraction, or a number in a circle, in parentheses or before a full stop. Unicode's
    /// word boundaries (UAX #29) make it a word of its own. Superscript and subscript digits belong to their words.
    private static func isNumberSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xBC...0xBE, 0x2150...0x215F, 0x2189, 0x2460...0x249B, 0x24EA...0x24FF, 0x2776...0x2793, 0x3220...0x3229,
            0x3248...0x324F, 0x3251...0x325F, 0x3280...0x3289, 0x32B1...0x32BF, 0x1F100...0x1F10C:
            true
        default: false
        }
    }

    static let separator: Unicode.Scalar = " "

    /// A character that is part of a word, or between the characters of one.
    private enum Kind {
        case word
        case ignored

        /// Creates the kind of a character; `nil` for a separator.
        init?(_ scalar: Unicode.Scalar) {
            let properties = scalar.properties
            // Unicode's word boundaries (UAX #29) let a digit with a keycap and the letter ℹ continue into the next
            // letters. Here they end a word like other emoji, so that "info" is found in "ℹ️info".
            // ASCII digits count as emoji too.
            if scalar == Self.keycap || (!scalar.isASCII && properties.isEmoji) { return nil }
            if Self.isApostrophe(scalar) { return nil }
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
                .letterNumber, .otherNumber, .privateUse:
                // Hangul fillers are invisible.
                self = properties.isDefaultIgnorableCodePoint ? .ignored : .word
            case .nonspacingMark, .spacingMark, .enclosingMark: self = Self.isDroppedMark(scalar) ? .ignored : .word
            case .format:
                // Joiners and soft hyphens are within words. Marks of direction and U+200B are between words.
                let isWithinWord =
                    properties.isDefaultIgnorableCodePoint && !properties.isBidiControl && scalar.value != 0x200B
                guard isWithinWord else { return nil }
                self = .ignored
            default: return nil
            }
        }

        /// Returns whether a letter has the form and the use of an apostrophe or a prime, such as the ʻokina of Hawaiian and
        /// the apostrophe of Ukrainian. People type U+0027 or U+2019 for it, which are between words.
        private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
            0x2B9...0x2BF ~= scalar.value || 0xA78B...0xA78C ~= scalar.value
        }

        /// The mark that makes an emoji of a digit.
        private static let keycap: Unicode.Scalar = "\u{20E3}"

        /// Returns whether a mark may be left out: accents, points of Hebrew, vowel signs of Arabic, and variation
        /// selectors. The marks of Indic and South-East Asian scripts are vowels and parts of letters.
        private static func isDroppedMark(_ mark: Unicode.Scalar) -> Bool {
            let properties = mark.properties
            if properties.generalCategory == .enclosingMark || properties.isDefaultIgnorableCodePoint { return true }
            switch properties.canonicalCombiningClass.rawValue {
            case 1, 10...36, 200...: return true
            default: return false
            }
        }
    }

    /// Returns the compatibility decomposition without separators within words and marks that may be left out.
    private static func decomposed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for scalar in scalars {
            for part in String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars {
                guard let kind = Kind(part) else {
                    result.append(separator)
                    continue
                }
                if kind == .word { result.append(letterWithoutStroke(part) ?? part) }
            }
        }
        return result
    }

    /// Returns the full case folding. Dotless `ı` is folded to `i`, because its upper case is `I`.
    private static func withoutCase(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        scalars.flatMap { scalar -> [Unicode.Scalar] in
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            let upper = lower.flatMap { Array($0.properties.uppercaseMapping.unicodeScalars) }
            return upper.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
        }
    }

    /// Returns `o` for `ø`, and so on for all Latin letters that Unicode names a letter with a stroke; `nil` for other
    /// characters.
    private static func letterWithoutStroke(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard
            0x80..<0x300 ~= scalar.value || 0x1D00..<0x1E00 ~= scalar.value || 0x2C60..<0x2C80 ~= scalar.value
                || 0xA720..<0xA800 ~= scalar.value, let name = scalar.properties.name
        else { return nil }
        for (start, offset) in [("LATIN SMALL LETTER ", UInt32(0x20)), ("LATIN CAPITAL LETTER ", 0)] {
            guard name.hasPrefix(start), name.hasSuffix(" WITH STROKE") else { continue }
            let letter = name.dropFirst(start.count).dropLast(" WITH STROKE".count).unicodeScalars
            guard letter.count == 1, let first = letter.first else { return nil }
            return Unicode.Scalar(first.value + offset)
        }
        return nil
    }
}

extension CharacterFolding {
    /// Returns the canonical decomposition of a character.
    static func canonicalParts(of scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
    }
}
