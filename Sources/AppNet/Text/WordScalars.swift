extension Unicode.Scalar {
    var isASCIILetter: Bool { 65...90 ~= value || 97...122 ~= value }

    /// Whether the scalar can be part of a user name: an ASCII letter, digit or `_`.
    var isNameScalar: Bool { isASCIILetter || 48...57 ~= value || self == "_" }

    /// Whether the scalar can be part of a word: a letter or digit of any script, or `_`.
    var isWordScalar: Bool {
        if isASCII { return isNameScalar }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// Whether the scalar continues the word before it: a combining mark, such as an accent or a vowel sign.
    var isMark: Bool {
        if value < 0x300 { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Whether the scalar joins or separates the shapes of two letters of a word: ZWNJ or ZWJ.
    var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }
}

extension [Unicode.Scalar] {
    /// The maximum number of marks in a row in a hashtag (Docs/Protocols/AppNet.md §3.6).
    private static var maximumMarks: Int { 30 }

    /// Returns whether a word reaches a position: the scalar before it, apart from marks, is part of a word. A digit in a
    /// keycap, with its enclosing mark, is an emoji.
    func continuesWord(at index: Int) -> Bool {
        var before = index - 1
        while before >= 0, self[before].isMark {
            if self[before].properties.generalCategory == .enclosingMark { return false }
            before -= 1
        }
        return before >= 0 && self[before].isWordScalar
    }

    /// Returns the end of the word of a hashtag that begins at a position; `nil` if none begins there.
    func hashtagWordEnd(at start: Int, _ limit: Int) -> Int? {
        guard start < limit, self[start].isWordScalar else { return nil }
        var end = start + 1
        var marks = 0
        while end < limit {
            if self[end].isMark {
                marks += 1
                if marks > Self.maximumMarks { break }
            } else if self[end].isWordScalar {
                marks = 0
            } else {
                guard self[end].isJoiner, end + 1 < limit, self[end + 1].isWordScalar else { break }
            }
            end += 1
        }
        return end
    }
}
