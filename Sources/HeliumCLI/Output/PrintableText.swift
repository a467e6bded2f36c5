/// Escapes text of servers and files for display. Characters that could move the cursor, change a title or imitate a
/// line are escaped.
enum PrintableText {
    /// Returns the text on one line. Control characters, including line breaks, become `\n`, `\r`, `\t` or `\u{1b}`.
    static func line(_ text: String) -> String { escaped(text, keepsLines: false) }

    /// Returns the text with its line breaks and tabs. Other control characters are escaped.
    static func lines(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// Returns an equivalent JSON text without unsafe characters. Characters that JSON does not escape become `\u009b`.
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

    /// Returns an equivalent XML text without unsafe characters. Characters that XML allows become references such as
    /// `&#x9b;`.
    static func xml(_ text: String) -> String {
        replacing(text) { $0.value >= 0x7F ? "&#x\(String($0.value, radix: 16));" : nil }
    }

    /// - Parameter name: Returns the replacement of an unsafe scalar; `nil` keeps the scalar.
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

    // Works on scalars, not characters, because their cost does not depend on their neighbors.
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

    /// Returns whether a scalar is unsafe: control characters (C0, DEL, C1), line and paragraph separators, and format
    /// characters such as those that reverse the direction of text. The two joiners are safe, because emoji and several
    /// scripts need them.
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
