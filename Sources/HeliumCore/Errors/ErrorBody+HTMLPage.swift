internal import Foundation

/// Enough of HTML to tell a page, and what it wants to say, from an API's answer.
enum HTMLPage {
    /// How much of a page is looked at, in bytes.
    static let maximumBytes = 32 << 10
    /// How much is told of it, in characters.
    static let maximumSummary = 120

    /// Whether a document begins as a page: `<!doctype html` or `<html`, whatever the letter case.
    static func begins(with body: Data) -> Bool {
        let beginning = String(decoding: body.prefix(32), as: UTF8.self).lowercased()
        return beginning.hasPrefix("<!doctype html") || beginning.hasPrefix("<html")
    }

    /// The title, or else the beginning of the visible text; `nil` if there is neither.
    static func summary(of page: Data, charset: String?) -> String? {
        let beginning = page.prefix(maximumBytes)
        // A wrong character set, or a character that the cut went through, must not lose the page.
        let text = String(body: beginning, charset: charset) ?? String(decoding: beginning, as: UTF8.self)
        var scan = Scan(rest: text[...])
        while let piece = scan.next() {
            if scan.isIn("title"), let title = cleaned(piece) { return title }
        }
        scan = Scan(rest: text[...])
        var visible = ""
        while visible.utf8.count < 4 * maximumSummary, let piece = scan.next() {
            if !scan.isIn("script"), !scan.isIn("style") { visible += " \(piece)" }
        }
        return cleaned(visible[...])
    }

    /// White space collapsed, the common character references resolved, cut to length.
    private static func cleaned(_ text: Substring) -> String? {
        var words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for (reference, character) in [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            words = words.replacingOccurrences(of: reference, with: character)
        }
        return words.isEmpty ? nil : String(words.prefix(maximumSummary))
    }

    /// Goes through a page's text between its tags, minding in which element it is.
    private struct Scan {
        var rest: Substring
        private var lastTag = ""

        init(rest: Substring) { self.rest = rest }

        /// Whether the last tag opened this element.
        func isIn(_ element: String) -> Bool { lastTag == element }

        /// The text after the next tag, or before the first.
        mutating func next() -> Substring? {
            guard !rest.isEmpty else { return nil }
            if rest.first == "<" {
                if rest.hasPrefix("<!--") {
                    guard let end = rest.range(of: "-->") else { return nil }
                    rest = rest[end.upperBound...]
                } else {
                    lastTag = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" || $0 == "!" }
                        .lowercased()
                    guard let end = rest.firstIndex(of: ">") else { return nil }
                    rest = rest[end...].dropFirst()
                }
            }
            let text = rest.prefix { $0 != "<" }
            rest = rest[text.endIndex...]
            return text
        }
    }
}
