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
            if start > 0, Self.isWord(scalars[start - 1]) || scalars[start - 1] == "&" { return nil }
            let end = scalars[(start + 1)...].firstIndex { !rules.isTagScalar($0) } ?? scalars.count
            guard end > start + 1, rules.isTag(scalars[(start + 1)..<end]) else { return nil }
            return end
        }
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
}
