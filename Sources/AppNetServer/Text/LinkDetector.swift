/// Finds links in plain text: web URLs, and bare hosts of well-known top-level domains with their paths
/// (Docs/Protocols/AppNet.md §3.6).
struct LinkDetector {
    private let scalars: [Unicode.Scalar]
    private let rules: TextRules

    init(_ scalars: [Unicode.Scalar], _ rules: TextRules = .appNet) {
        self.scalars = scalars
        self.rules = rules
    }

    /// Returns the positions and URLs of links that do not overlap `taken`, which must be sorted. Takes linear time.
    func links(outside taken: [Range<Int>]) -> [(range: Range<Int>, url: String)] {
        var found: [(Range<Int>, String)] = []
        var position = 0
        for gap in Self.gaps(between: taken, in: scalars.count) {
            position = max(position, gap.lowerBound)
            for stretch in scalars[gap].stretches {
                let stretch = LinkStretch(stretch, of: scalars, rules)
                position = max(position, stretch.range.lowerBound)
                while position < stretch.range.upperBound {
                    if let link = stretch.link(at: position) {
                        found.append(link)
                        position = link.range.upperBound
                    } else {
                        position += 1
                    }
                }
            }
        }
        return found
    }

    /// Returns the ranges of a text outside of `taken`.
    private static func gaps(between taken: [Range<Int>], in count: Int) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        var position = 0
        for range in taken {
            if range.lowerBound > position { gaps.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if position < count { gaps.append(position..<count) }
        return gaps
    }

    /// Returns whether a scalar is white space or a control character, which URLs cannot contain.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.value < 0x21
    }

    /// Returns whether a text is a URL with one of the schemes for links, with a host and without white space.
    static func isWebURL(_ text: String, _ rules: TextRules) -> Bool {
        let scalars = Array(text.unicodeScalars)
        guard let host = WebHost.schemeEnd(of: scalars[...], rules), host < scalars.count else { return false }
        return !WebHost.endsAuthority(scalars[host]) && !scalars.contains(where: isForbidden)
    }
}

extension ArraySlice<Unicode.Scalar> {
    /// The ranges between white space and `<`, at which URLs end.
    fileprivate var stretches: [Range<Int>] {
        split { $0.properties.isWhitespace || $0 == "<" }.map { $0.startIndex..<$0.endIndex }
    }
}
