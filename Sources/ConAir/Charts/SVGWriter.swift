/// The bytes of an SVG document.
struct SVGWriter {
    private(set) var bytes: [UInt8] = []

    /// Appends trusted markup.
    mutating func markup(_ text: String) { bytes += text.utf8 }

    /// Appends text from any source. Markup is escaped, and characters that are invalid in XML become U+FFFD.
    mutating func text(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            case "\t", "\n", "\r": bytes.append(UInt8(ascii: " "))
            // Direction marks are valid in XML, but they would reverse the words that follow a unit.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}", "\u{202A}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                bytes += "\u{FFFD}".utf8
            default: bytes += UTF8.encode(scalar).map(Array.init) ?? []
            }
        }
    }

    /// Appends a length with at most two digits after the decimal point.
    mutating func number(_ value: Double) {
        // All drawn elements are near the image. Anything else would be a programming error, but not worth a trap.
        var hundredths = value.isNaN ? 0 : Int((min(max(value, -1e6), 1e6) * 100).rounded())
        if hundredths < 0 {
            bytes.append(UInt8(ascii: "-"))
            hundredths = -hundredths
        }
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        bytes += String(whole).utf8
        guard rest > 0 else { return }
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(rest / 10))
        if rest % 10 > 0 { bytes.append(UInt8(ascii: "0") + UInt8(rest % 10)) }
    }

    /// Appends attributes whose values are lengths, each after a space.
    mutating func attributes(_ attributes: KeyValuePairs<String, Double>) {
        for (name, value) in attributes {
            markup(" \(name)=\"")
            number(value)
            markup("\"")
        }
    }

    /// Appends a path command: a letter and a point.
    mutating func step(_ letter: Character, _ x: Double, _ y: Double) {
        bytes.append(letter.asciiValue ?? UInt8(ascii: "L"))
        number(x)
        bytes.append(UInt8(ascii: " "))
        number(y)
    }
}
