/// A link at a place of a text's code points.
struct LinkSpan {
    var range: Range<Int>
    var url: String
    /// The writer's link, with what else it says.
    var given: Entities.Link?
    /// How many code points of warning are behind it.
    var warningLength: Int?

    /// What it and its warning take.
    var taken: Range<Int> { range.lowerBound..<range.upperBound + (warningLength ?? 0) }

    func entity(in scalars: [Unicode.Scalar]) -> Entities.Link {
        var link = given ?? Entities.Link()
        link.text = String(scalars[range])
        link.url = WebAddress(url)
        link.position = range.lowerBound
        link.length = range.count
        link.amendedLength = warningLength.map { range.count + $0 }
        return link
    }

    /// Puts the warnings behind anchors that name another host than their URL, and moves what is behind.
    static func amend(_ spans: inout [LinkSpan], in scalars: inout [Unicode.Scalar]) {
        var moved = 0
        for index in spans.indices {
            let range = spans[index].range
            let place = range.lowerBound + moved..<range.upperBound + moved
            spans[index].range = place
            guard let warning = LinkHost.warning(anchor: String(scalars[place]), url: spans[index].url) else {
                continue
            }
            let inserted = Array(warning.unicodeScalars)
            scalars.insert(contentsOf: inserted, at: place.upperBound)
            spans[index].warningLength = inserted.count
            moved += inserted.count
        }
    }
}

/// `[anchor](url)` in a text.
enum MarkdownLinks {
    /// The text with the anchors alone, and their links.
    static func replaced(in scalars: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], links: [LinkSpan]) {
        var text: [Unicode.Scalar] = []
        var links: [LinkSpan] = []
        var index = 0
        // Beyond these no bracket is: without it a text of brackets alone would be walked through for each of them.
        let lastClosing = scalars.lastIndex(of: "]") ?? -1
        while index < scalars.count {
            if scalars[index] == "[", index < lastClosing, let link = link(in: scalars, at: index) {
                links.append(LinkSpan(range: text.count..<text.count + link.anchor.count, url: String(link.url)))
                text += link.anchor
                index = link.end
            } else {
                text.append(scalars[index])
                index += 1
            }
        }
        return (text, links)
    }

    /// No URL is longer: what is behind would be looked at again for each beginning.
    private static let maximumLength = 4096

    private static func link(
        in scalars: [Unicode.Scalar],
        at start: Int
    ) -> (anchor: ArraySlice<Unicode.Scalar>, url: ArraySlice<Unicode.Scalar>, end: Int)? {
        // An anchor ends at the next bracket of either kind: "[a [b](c)" has the anchor "b".
        guard let closing = scalars[(start + 1)...].firstIndex(where: { $0 == "]" || $0 == "[" }),
            scalars[closing] == "]", closing > start + 1, closing + 1 < scalars.count, scalars[closing + 1] == "("
        else { return nil }
        let begin = closing + 2
        var depth = 1
        var end = begin
        let limit = min(scalars.count, begin + maximumLength)
        while end < limit {
            let scalar = scalars[end]
            if scalar.properties.isWhitespace { return nil }
            if scalar == "(" { depth += 1 }
            if scalar == ")" { depth -= 1 }
            if depth == 0 { break }
            end += 1
        }
        guard end < limit, LinkScanner.schemeLength(in: scalars, at: begin) != nil else { return nil }
        return (scalars[start + 1..<closing], scalars[begin..<end], end + 1)
    }
}
