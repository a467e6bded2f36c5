/// The beginning of a text from any source, limited to a width: without control characters, and with an ellipsis if it
/// is cut.
///
/// The width is that of ``CellWidth``. Emoji that a joiner combines are shown side by side, because terminals differ in
/// whether they combine them, and a line that is too long breaks the layout.
package struct DisplayText {
    /// The text.
    package private(set) var text = ""

    /// The width of the text.
    package private(set) var cells = 0

    /// Creates a text for display.
    ///
    /// - Parameters:
    ///   - text: The text. The time is at most proportional to its length.
    ///   - limit: The maximum width in cells.
    ///   - isASCII: Whether only ASCII characters can be displayed.
    package init(_ text: String, cells limit: Int, isASCII: Bool = false) {
        let ellipsis = isASCII ? "..." : "…"
        let ellipsisCells = isASCII ? 3 : 1
        // The longest beginning with room for an ellipsis after it.
        var shorter = (text: "", cells: 0)
        var marks = 0
        for scalar in text.unicodeScalars {
            guard let (shown, width) = isASCII ? Self.ascii(scalar) : Self.unicode(scalar) else { continue }
            if width == 0 {
                // Scripts use up to three marks on a letter. Hundreds would cover the lines above.
                marks += 1
                if marks <= 3, cells > 0 { self.text.unicodeScalars.append(shown) }
                continue
            }
            if cells <= limit - ellipsisCells { shorter = (self.text, cells) }
            guard cells + width <= limit else {
                // With little room, a letter is more useful than an ellipsis.
                guard limit >= 2 * ellipsisCells else { return }
                self.text = shorter.text + ellipsis
                cells = shorter.cells + ellipsisCells
                return
            }
            marks = 0
            self.text.unicodeScalars.append(shown)
            cells += width
        }
    }

    /// Returns a scalar for Unicode output, and its width; `nil` if it has no glyph of its own.
    private static func unicode(_ scalar: Unicode.Scalar) -> (Unicode.Scalar, Int)? {
        if (0x20..<0x7F).contains(scalar.value) { return (scalar, 1) }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator:
            return ("\t\n\r".unicodeScalars.contains(scalar) ? " " : "?", 1)
        // Direction marks could reverse the following text, and joiners could combine several characters into one
        // glyph.
        case .format: return nil
        case .nonspacingMark, .enclosingMark: return scalar.properties.isVariationSelector ? nil : (scalar, 0)
        default: return (scalar, CellWidth.of(scalar))
        }
    }

    /// Returns a scalar for ASCII output.
    private static func ascii(_ scalar: Unicode.Scalar) -> (Unicode.Scalar, Int)? {
        switch scalar {
        // Units, for example `21 C` and `ug/m3`.
        case "°": return nil
        case "µ", "μ": return ("u", 1)
        case "²": return ("2", 1)
        case "³": return ("3", 1)
        default: return unicode(scalar).flatMap { $1 == 0 ? nil : ($0.isASCII ? $0 : "?", 1) }
        }
    }
}
