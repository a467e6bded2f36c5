/// Text of servers and files made safe to show: what could move a cursor, change a title or fake a line is escaped.
enum PrintableText {
    /// The text on one line. Control characters, line breaks included, become `\n`, `\r`, `\t` or `\u{1b}`.
    static func line(_ text: String) -> String { escaped(text, keepsLines: false) }

    /// The text with its line breaks and tabs; any other control character is escaped.
    static func lines(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// A JSON text that says the same and shows nothing unsafe: what JSON leaves as it is becomes `\u009b`.
    static func json(_ text: String) -> String {
        replacing(text) { scalar in
            guard scalar.value >= 0x7F else { return nil }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
            .joined()
        }
    }

    /// An XML text that says the same and shows nothing unsafe: what XML allows becomes a reference, `&#x9b;`.
    static func xml(_ text: String) -> String {
        replacing(text) { $0.value >= 0x7F ? "&#x\(String($0.value, radix: 16));" : nil }
    }

    /// - Parameter name: What stands in place of an unsafe scalar; `nil` leaves it.
    private static func replacing(_ text: String, _ name: (Unicode.Scalar) -> String?) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isUnsafe(scalar), let name = name(scalar) {
                out.append(contentsOf: name.unicodeScalars)
            } else {
                out.append(scalar)
            }
        }
        return String(out)
    }

    // Scalars, not characters: their cost does not depend on what stands beside them.
    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var out = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        while let scalar = next {
            next = scalars.next()
            switch scalar {
            case "\n", "\t": keepsLines ? out.append(scalar) : out.append(contentsOf: name(of: scalar))
            case "\r" where keepsLines && next == "\n": break
            case _ where isUnsafe(scalar): out.append(contentsOf: name(of: scalar))
            default: out.append(scalar)
            }
        }
        return String(out)
    }

    /// Control characters (C0, DEL, C1), line and paragraph separators, and format characters such as those that reverse
    /// the direction of text. The two joiners, which emoji and several scripts need, are safe.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if 0x20..<0x7F ~= scalar.value { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
        default: return false
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        switch scalar {
        case "\n": "\\n".unicodeScalars
        case "\r": "\\r".unicodeScalars
        case "\t": "\\t".unicodeScalars
        default: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
        }
    }
}
