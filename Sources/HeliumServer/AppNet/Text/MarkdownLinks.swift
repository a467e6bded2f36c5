/// Links in the form `[anchor](url)`, taken out of a text.
struct MarkdownLinks: Sendable {
    private(set) var text = ""
    private(set) var links: [WrittenText.Link] = []

    init(_ source: String, isPnut: Bool = false) {
        let scalars = Array(source.unicodeScalars)
        var out = String.UnicodeScalarView()
        var count = 0
        var position = 0
        while position < scalars.count {
            if let found = Self.link(scalars, at: position, isPnut) {
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

    private static func link(
        _ scalars: [Unicode.Scalar],
        at start: Int,
        _ isPnut: Bool
    ) -> (anchor: Range<Int>, url: String, end: Int)? {
        guard scalars[start] == "[", let close = scalars[start...].firstIndex(of: "]"), close > start + 1,
            close + 1 < scalars.count, scalars[close + 1] == "(",
            let end = scalars[(close + 2)...].firstIndex(where: { $0 == ")" || $0.properties.isWhitespace }),
            scalars[end] == ")"
        else { return nil }
        let url = String(String.UnicodeScalarView(scalars[(close + 2)..<end]))
        guard LinkDetector.isWebURL(url, isPnut: isPnut) else { return nil }
        return ((start + 1)..<close, url, end + 1)
    }
}
