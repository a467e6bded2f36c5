/// A link with its range in the code points of a text.
struct LinkSpan {
    var range: Range<Int>
    var url: String
    /// The link that the author gave, with its other members.
    var given: Entities.Link?
    /// The length of the warning after it, in code points.
    var warningLength: Int?

    /// The range of the link and its warning.
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

    /// Inserts the warnings after anchors with another host than their URL, and moves the following links.
    static func amend(_ spans: inout [LinkSpan], in scalars: inout [Unicode.Scalar]) {
        var amended: [Unicode.Scalar] = []
        amended.reserveCapacity(scalars.count)
        var copied = 0
        for index in spans.indices {
            let range = spans[index].range
            let moved = amended.count - copied
            spans[index].range = range.lowerBound + moved..<range.upperBound + moved
            guard let warning = LinkHost.warning(anchor: String(scalars[range]), url: spans[index].url) else {
                continue
            }
            amended += scalars[copied..<range.upperBound]
            copied = range.upperBound
            amended += warning.unicodeScalars
            spans[index].warningLength = warning.unicodeScalars.count
        }
        scalars = amended + scalars[copied...]
    }
}

/// A parser of `[anchor](url)` in a text.
enum MarkdownLinks {
    /// Returns the text with only the anchors, and their links.
    static func replaced(in scalars: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], links: [LinkSpan]) {
        var text: [Unicode.Scalar] = []
        var links: [LinkSpan] = []
        var index = 0
        let closings = closings(in: scalars)
        while index < scalars.count {
            if scalars[index] == "[", let link = link(in: scalars, at: index, closings) {
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

    /// The maximum length of a URL, in code points.
    private static let maximumLength = 4096

    /// Returns the position of the `)` for each `(` that follows a `]`, if there is no white space between them.
    ///
    /// All positions are found in one pass, so unclosed brackets do not lead to repeated searches.
    private static func closings(in scalars: [Unicode.Scalar]) -> [Int: Int] {
        var closings: [Int: Int] = [:]
        var open: [Int] = []
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case "(": open.append(index)
            case ")":
                if let opening = open.popLast(), opening > 0, scalars[opening - 1] == "]" { closings[opening] = index }
            default: if scalar.properties.isWhitespace { open.removeAll(keepingCapacity: true) }
            }
        }
        return closings
    }

    private static func link(
        in scalars: [Unicode.Scalar],
        at start: Int,
        _ closings: [Int: Int]
    ) -> (anchor: ArraySlice<Unicode.Scalar>, url: ArraySlice<Unicode.Scalar>, end: Int)? {
        // An anchor ends at the next bracket of either kind: "[a [b](c)" has the anchor "b".
        guard let closing = scalars[(start + 1)...].firstIndex(where: { $0 == "]" || $0 == "[" }),
            scalars[closing] == "]", closing > start + 1, let end = closings[closing + 1]
        else { return nil }
        let url = scalars[(closing + 2)..<end]
        guard url.count < maximumLength, LinkScanner.schemeLength(in: scalars, at: url.startIndex) != nil else {
            return nil
        }
        return (scalars[start + 1..<closing], url, end + 1)
    }
}
