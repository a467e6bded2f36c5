internal import Foundation

/// Enough of HTML to tell a page, and what it wants to say, from an API's answer.
enum HTMLPage {
    /// How much of a page is looked at, in bytes.
    static let maximumBytes = 32 << 10
    /// How much is shown of it, in Unicode scalars.
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
        let bytes = Array(text.utf8)
        var scan = Scan(bytes)
        while let piece = scan.next() {
            if scan.isIn("title"), let title = cleaned(piece) { return title }
        }
        scan = Scan(bytes)
        var visible: [UInt8] = []
        while visible.count < 4 * maximumSummary, let piece = scan.next() {
            if !scan.isIn("script"), !scan.isIn("style") { visible += [32] + piece }
        }
        return cleaned(visible[...])
    }

    /// White space collapsed, the common character references resolved, cut to length.
    private static func cleaned(_ text: ArraySlice<UInt8>) -> String? {
        // More than the summary takes, so that what is left out does not have to be cleaned.
        let beginning = String(decoding: text.prefix(16 * maximumSummary), as: UTF8.self)
        var words = beginning.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map(String.init).joined(separator: " ")
        for (reference, character) in [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            words = words.replacingOccurrences(of: reference, with: character, options: .literal)
        }
        return words.isEmpty ? nil : String(words.unicodeScalars.prefix(maximumSummary))
    }

    /// Goes through a page's text between its tags, minding in which element it is. On bytes: of a page made for it, a
    /// single character can be as long as the page.
    private struct Scan {
        let page: [UInt8]
        private var position = 0
        private var lastTag = ""

        init(_ page: [UInt8]) { self.page = page }

        /// Whether the last tag opened this element.
        func isIn(_ element: String) -> Bool { lastTag == element }

        /// The text after the next tag, or before the first.
        mutating func next() -> ArraySlice<UInt8>? {
            guard position < page.count else { return nil }
            if page[position] == UInt8(ascii: "<") {
                if page[position...].starts(with: "<!--".utf8) {
                    guard let end = endOfComment() else { return nil }
                    position = end
                } else {
                    let name = page[(position + 1)...].prefix(32).prefix {
                        ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "!")
                    }
                    lastTag = String(decoding: name, as: UTF8.self).lowercased()
                    guard let end = page[position...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
                    position = end + 1
                }
            }
            let text = page[position...].prefix { $0 != UInt8(ascii: "<") }
            position = text.endIndex
            return text
        }

        private func endOfComment() -> Int? {
            var dashes = 0
            for index in (position + 4)..<max(position + 4, page.count) {
                if page[index] == UInt8(ascii: ">"), dashes >= 2 { return index + 1 }
                dashes = page[index] == UInt8(ascii: "-") ? dashes + 1 : 0
            }
            return nil
        }
    }
}
