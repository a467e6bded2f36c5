/// Links in the form `[anchor](url)`, taken out of a text, in time that grows with its length alone: it comes before the text
/// is known to be short enough.
struct MarkdownLinks: Sendable {
    private(set) var text = ""
    private(set) var links: [WrittenText.Link] = []

    /// The longest URL, in code points.
    private static let maximumURL = 4096

    init(_ source: String, isPnut: Bool = false) {
        let scalars = Array(source.unicodeScalars)
        guard scalars.contains("[") else {
            text = source
            return
        }
        var finder = Finder(scalars, isPnut: isPnut)
        var out = String.UnicodeScalarView()
        var count = 0
        var position = 0
        while position < scalars.count {
            if let found = finder.link(at: position) {
                links.append(
                    WrittenText.Link(position: count, length: found.anchor.count, url: found.url)
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

    /// Finds links without looking at anything twice.
    private struct Finder {
        let scalars: [Unicode.Scalar]
        let isPnut: Bool
        /// The next `]` from each place on; the text's end where there is none.
        private var closing: [Int]
        /// The next `)` or white space.
        private var ending: [Int]
        /// A `]` that no link's URL follows, whatever `[` is before it.
        private var refused = -1

        init(_ scalars: [Unicode.Scalar], isPnut: Bool) {
            self.scalars = scalars
            self.isPnut = isPnut
            closing = [Int](repeating: scalars.count, count: scalars.count + 1)
            ending = closing
            for index in scalars.indices.reversed() {
                let scalar = scalars[index]
                closing[index] = scalar == "]" ? index : closing[index + 1]
                ending[index] = scalar == ")" || scalar.properties.isWhitespace ? index : ending[index + 1]
            }
        }

        mutating func link(at start: Int) -> (anchor: Range<Int>, url: String, end: Int)? {
            guard scalars[start] == "[" else { return nil }
            let close = closing[start]
            guard close != refused, close > start + 1, close + 1 < scalars.count, scalars[close + 1] == "(" else {
                return nil
            }
            let end = ending[close + 2]
            guard end < scalars.count, scalars[end] == ")", end - close - 2 <= MarkdownLinks.maximumURL else {
                return nil
            }
            let url = String(String.UnicodeScalarView(scalars[(close + 2)..<end]))
            guard LinkDetector.isWebURL(url, isPnut: isPnut) else {
                refused = close
                return nil
            }
            return ((start + 1)..<close, url, end + 1)
        }
    }
}
