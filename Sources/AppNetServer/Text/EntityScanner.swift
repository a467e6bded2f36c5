/// Finds mentions and hashtags in plain text (Docs/Protocols/AppNet.md §3.6).
struct EntityScanner {
    private let scalars: [Unicode.Scalar]
    private let rules: TextRules

    init(_ scalars: [Unicode.Scalar], _ rules: TextRules) {
        self.scalars = scalars
        self.rules = rules
    }

    /// All `@name`s that may be mentions.
    var names: [(range: Range<Int>, name: String)] {
        scan("@") { start in
            if start > 0 {
                let before = scalars[start - 1]
                if Self.isNameScalar(before) || before == "@" || before == "&" { return nil }
                if before == "/", !rules.hasCopies { return nil }
            }
            let end = scalars[(start + 1)...].firstIndex { !Self.isNameScalar($0) } ?? scalars.count
            guard 1...20 ~= end - start - 1, end == scalars.count || scalars[end] != "@" else { return nil }
            return end
        }
    }

    var hashtags: [(range: Range<Int>, name: String)] {
        scan("#") { start in
            if start > 0, scalars[start - 1] == "&" || Self.endsWord(scalars[..<start]) { return nil }
            let end = tagEnd(from: start + 1)
            guard end > start + 1, rules.isTag(scalars[(start + 1)..<end]) else { return nil }
            return end
        }
    }

    /// Returns the end of the longest tag that begins at a position; the position if none begins there.
    ///
    /// Combining marks continue a tag but do not begin one. A joiner continues a tag if more of the tag follows it.
    private func tagEnd(from start: Int) -> Int {
        guard start < scalars.count, rules.beginsTag(scalars[start]) else { return start }
        var marks = 0
        for index in (start + 1)..<scalars.count {
            let scalar = scalars[index]
            if Self.isMark(scalar) {
                marks += 1
                if marks > TextLimits.marks { return index }
            } else if rules.beginsTag(scalar) {
                marks = 0
            } else if !Self.isJoiner(scalar) || index + 1 == scalars.count || !rules.beginsTag(scalars[index + 1]) {
                return index
            }
        }
        return scalars.count
    }

    private func scan(_ sign: Unicode.Scalar, end: (Int) -> Int?) -> [(range: Range<Int>, name: String)] {
        scalars.indices.compactMap { start in
            guard scalars[start] == sign, let end = end(start) else { return nil }
            return (start..<end, String(String.UnicodeScalarView(scalars[(start + 1)..<end])).lowercased())
        }
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 && Username.isNameByte(UInt8(scalar.value))
    }

    /// Returns whether a scalar is a letter, a digit or `_`.
    static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return Username.isNameByte(UInt8(scalar.value)) }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: scalar == "_"
        }
    }

    /// Returns whether a scalar is a combining mark, such as an accent or a vowel sign. It belongs to the letter before
    /// it.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x300 { return false }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Returns whether a text ends with a word: with a letter, a digit or `_`, and the marks of it. A digit in a keycap, with
    /// its enclosing mark, is an emoji.
    static func endsWord(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let last = text.last(where: { $0.properties.generalCategory == .enclosingMark || !isMark($0) }) else {
            return false
        }
        return isWord(last)
    }

    /// Returns whether a scalar is ZWNJ or ZWJ, which some scripts need between two letters, and emoji between two
    /// parts.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }
}
