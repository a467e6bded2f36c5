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
        let finder = Finder(scalars, isPnut: isPnut)
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
        /// The next `)`, white space or control character.
        private var ending: [Int]

        init(_ scalars: [Unicode.Scalar], isPnut: Bool) {
            self.scalars = scalars
            self.isPnut = isPnut
            closing = [Int](repeating: scalars.count, count: scalars.count + 1)
            ending = closing
            for index in scalars.indices.reversed() {
                let scalar = scalars[index]
                closing[index] = scalar == "]" ? index : closing[index + 1]
                ending[index] = scalar == ")" || LinkDetector.isForbidden(scalar) ? index : ending[index + 1]
            }
        }

        func link(at start: Int) -> (anchor: Range<Int>, url: String, end: Int)? {
            guard scalars[start] == "[" else { return nil }
            let close = closing[start]
            guard close > start + 1, close + 1 < scalars.count, scalars[close + 1] == "(" else { return nil }
            let end = ending[close + 2]
            guard end < scalars.count, scalars[end] == ")", end - close - 2 <= MarkdownLinks.maximumURL else {
                return nil
            }
            let url = scalars[(close + 2)..<end]
            guard let host = WebHost.schemeEnd(of: url, isPnut: isPnut), host < end,
                !WebHost.endsAuthority(scalars[host])
            else { return nil }
            return ((start + 1)..<close, String(String.UnicodeScalarView(url)), end + 1)
        }
    }
}
