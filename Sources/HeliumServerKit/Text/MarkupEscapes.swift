/// The characters that are escaped in markup, in addition to `&`, `<` and `>`.
package struct MarkupEscapes: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `"`, for attribute values.
    package static let quotes = Self(rawValue: 1)
    /// `'`, for attribute values in single quotation marks.
    package static let apostrophes = Self(rawValue: 2)
    /// Carriage returns, which XML parsers would convert to line feeds.
    package static let carriageReturns = Self(rawValue: 4)
    /// Line feeds, which become the element `<br>`.
    package static let lineBreaks = Self(rawValue: 8)
    /// All characters beyond printable ASCII, which become numeric references.
    package static let nonASCII = Self(rawValue: 16)
    /// Control characters that XML 1.0 does not allow. They are removed.
    package static let controls = Self(rawValue: 32)

    /// Returns the text with these characters escaped.
    package func escaped(_ text: String) -> String {
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count)
        write(text.unicodeScalars, to: &escaped)
        return escaped
    }

    /// Appends scalars to `out`, with these characters escaped.
    package func write(_ scalars: some Sequence<Unicode.Scalar>, to out: inout String) {
        for scalar in scalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"" where contains(.quotes): out += "&quot;"
            case "'" where contains(.apostrophes): out += "&#39;"
            case "\n" where contains(.lineBreaks): out += "<br>"
            case "\r" where contains(.carriageReturns): out += "&#13;"
            case "\t", "\n", "\r": out.unicodeScalars.append(scalar)
            case _ where contains(.controls) && Self.isBeyondXML(scalar): break
            case _ where contains(.nonASCII) && scalar.value > 0x7E: out += "&#\(scalar.value);"
            default: out.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isBeyondXML(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar == "\u{FFFE}" || scalar == "\u{FFFF}"
    }
}
