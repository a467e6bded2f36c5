/// Extracts links in the form `[anchor](url)` from a text, and with some rules also `[anchor](url "title")`. Takes
/// linear time, because it runs before the length of the text is checked.
struct MarkdownLinks: Sendable {
    private(set) var text = ""
    private(set) var links: [WrittenText.Link] = []

    init(_ source: String, _ rules: TextRules = .appNet) {
        let scalars = Array(source.unicodeScalars)
        guard scalars.contains("[") else {
            text = source
            return
        }
        var finder = Finder(scalars, rules)
        var out = String.UnicodeScalarView()
        var count = 0
        var position = 0
        while position < scalars.count {
            if let found = finder.link(at: position) {
                links.append(
                    WrittenText.Link(position: count, length: found.anchor.count, url: found.url, title: found.title)
                )
                out.append(contentsOf: scalars[found.anchor])
                count += found.anchor.count
                position = found.end
            } else {
                out.append(scalars[position])
                count += 1
                position += 1
            }
        }
        text = String(out)
    }

    /// The maximum length of a title in code points.
    private static let maximumTitle = 256

    /// A link in a text.
    private struct Found {
        let anchor: Range<Int>
        let url: String
        let title: String?
        /// The position after the link.
        let end: Int
    }

    /// Finds links in one pass.
    private struct Finder {
        let scalars: [Unicode.Scalar]
        let rules: TextRules
        /// For each position, the next `]`; the end of the text if there is none.
        private var closing: [Int]
        /// The next `)`, white space or control character.
        private var ending: [Int]
        /// The next code point that is not white space; empty if titles are not supported.
        private var written: [Int] = []
        /// The next `"` that is followed by `)`; empty if titles are not supported.
        private var titleEnd: [Int] = []
        /// A `]` that is not followed by the URL of a link, for any preceding `[`.
        private var refused = -1

        init(_ scalars: [Unicode.Scalar], _ rules: TextRules) {
            self.scalars = scalars
            self.rules = rules
            closing = [Int](repeating: scalars.count, count: scalars.count + 1)
            ending = closing
            for index in scalars.indices.reversed() {
                let scalar = scalars[index]
                closing[index] = scalar == "]" ? index : closing[index + 1]
                ending[index] = scalar == ")" || LinkDetector.isForbidden(scalar) ? index : ending[index + 1]
            }
            guard rules.hasMarkdownTitles, scalars.contains("\"") else { return }
            written = [Int](repeating: scalars.count, count: scalars.count + 1)
            titleEnd = written
            for index in scalars.indices.reversed() {
                let isEnd = scalars[index] == "\"" && index + 1 < scalars.count && scalars[index + 1] == ")"
                titleEnd[index] = isEnd ? index : titleEnd[index + 1]
                written[index] = scalars[index].properties.isWhitespace ? written[index + 1] : index
            }
        }

        mutating func link(at start: Int) -> Found? {
            guard scalars[start] == "[" else { return nil }
            let close = closing[start]
            guard close != refused, close > start + 1, close + 1 < scalars.count, scalars[close + 1] == "(" else {
                return nil
            }
            let end = ending[close + 2]
            guard end < scalars.count, end - close - 2 <= TextLimits.urlBytes else { return nil }
            let title = scalars[end] == ")" ? nil : title(from: end)
            guard scalars[end] == ")" || title != nil else { return nil }
            guard let url = url((close + 2)..<end) else {
                refused = close
                return nil
            }
            let text = title.map { String(String.UnicodeScalarView(scalars[$0])) }
            return Found(anchor: (start + 1)..<close, url: url, title: text, end: (title?.upperBound ?? end - 1) + 2)
        }

        /// Returns the title after white space, without its quotes; `nil` if there is none.
        private func title(from end: Int) -> Range<Int>? {
            guard !written.isEmpty else { return nil }
            let quote = written[end]
            guard quote < scalars.count, scalars[quote] == "\"" else { return nil }
            let last = titleEnd[quote + 1]
            guard last < scalars.count, last - quote <= MarkdownLinks.maximumTitle else { return nil }
            return (quote + 1)..<last
        }

        /// Returns the URL of a link as it is written. If links can have titles, a host does not need a scheme.
        private func url(_ range: Range<Int>) -> String? {
            let written = scalars[range]
            if let host = WebHost.schemeEnd(of: written, rules) {
                guard host < range.upperBound, !WebHost.endsAuthority(scalars[host]) else { return nil }
                return String(String.UnicodeScalarView(written))
            }
            guard rules.hasMarkdownTitles, LinkStretch.isBareDomain(range, of: scalars) else { return nil }
            return "http://\(String(String.UnicodeScalarView(written)))"
        }
    }
}
