internal import HeliumEssentials

/// A minimal reader of HTML that recognizes a web page among API responses and extracts its main text.
enum HTMLPage {
    /// The number of bytes of a page that are read.
    static let maximumBytes = 32 << 10
    /// The length of the excerpt, in Unicode scalars.
    static let maximumSummary = 120

    /// Returns whether a document begins as a page: `<!doctype html` or `<html`, ignoring letter case.
    static func begins(with body: Data) -> Bool {
        let beginning = body.prefix(32).map { $0 &- 65 < 26 ? $0 | 32 : $0 }
        return beginning.starts(with: "<!doctype html".utf8) || beginning.starts(with: "<html".utf8)
    }

    /// Returns the title, or otherwise the beginning of the visible text, or `nil` if there is neither.
    static func summary(of page: Data, charset: String?) -> String? {
        let beginning = page.prefix(maximumBytes)
        // A wrong character set, or a character that the cut splits, must not make the whole page unreadable.
        let text = String(body: beginning, charset: charset) ?? String(decoding: beginning, as: UTF8.self)
        var scan = Scan(text)
        while let piece = scan.next() {
            if scan.isIn("title"), let title = cleaned(piece) { return title }
        }
        scan = Scan(text)
        var visible = ""
        while visible.utf8.count < 4 * maximumSummary, let piece = scan.next() {
            if !scan.isIn("script"), !scan.isIn("style") { visible += " \(piece)" }
        }
        return cleaned(visible)
    }

    /// Returns the text with white space collapsed and the common character references resolved, cut to the maximum
    /// length.
    private static func cleaned(_ text: String) -> String? {
        var words = text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }.joined(
            separator: " "
        )
        for (reference, character) in [
            ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
        ] {
            words = words.replacingBytes(of: reference, with: character)
        }
        return words.isEmpty ? nil : words.prefix(scalars: maximumSummary)
    }

    /// Iterates over the text between the tags of a page and tracks the current element.
    private struct Scan {
        private var rest: Substring.UTF8View
        private var lastTag: [UInt8] = []

        init(_ text: String) { rest = text[...].utf8 }

        /// Returns whether the last tag opened this element.
        func isIn(_ element: String) -> Bool { lastTag.elementsEqual(element.utf8) }

        /// Returns the text after the next tag, or before the first, or `nil` at the end.
        mutating func next() -> String? {
            guard !rest.isEmpty else { return nil }
            if rest.first == UInt8(ascii: "<") {
                let isComment = rest.starts(with: "<!--".utf8)
                if !isComment {
                    lastTag = rest.dropFirst().prefix(16).prefix(while: Self.isNameByte).map {
                        $0 &- 65 < 26 ? $0 | 32 : $0
                    }
                }
                guard let end = isComment ? endOfComment() : rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
                rest = rest[end...].dropFirst()
            }
            let text = rest.prefix { $0 != UInt8(ascii: "<") }
            rest = rest[text.endIndex...]
            return String(decoding: text, as: UTF8.self)
        }

        /// Returns the index of the last character of the comment that begins here.
        private func endOfComment() -> Substring.Index? {
            var dashes = 0
            for index in rest.indices.dropFirst(2) {
                if rest[index] == UInt8(ascii: ">"), dashes >= 2 { return index }
                dashes = rest[index] == UInt8(ascii: "-") ? dashes + 1 : 0
            }
            return nil
        }

        private static func isNameByte(_ byte: UInt8) -> Bool {
            (byte | 32) &- 97 < 26 || byte &- 48 < 10 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!")
        }
    }
}
