/// A part of a text without white space that is searched for links. Values that depend on its end are computed once, so
/// that the search at each position only takes time for the word that begins there.
struct LinkStretch {
    let range: Range<Int>
    private let scalars: [Unicode.Scalar]
    private let rules: TextRules
    /// The start of the punctuation and closing brackets at the end.
    private let tail: Int
    /// The positions before ``tail`` of the last `(`, the last `{` and the last control character.
    private var lastOpening = -1
    private var lastBrace = -1
    private var lastControl = -1
    /// The ends of the last `)` and the last `}` after ``tail``.
    private var closingEnd: Int
    private var braceEnd: Int

    init(_ range: Range<Int>, of scalars: [Unicode.Scalar], _ rules: TextRules) {
        self.range = range
        self.scalars = scalars
        self.rules = rules
        tail =
            scalars[range].lastIndex { !Self.isPunctuation($0) && $0 != ")" }.map { $0 + 1 } ?? range.lowerBound
        (closingEnd, braceEnd) = (tail, tail)
        for index in tail..<range.upperBound {
            if scalars[index] == ")" { closingEnd = index + 1 }
            if scalars[index] == "}" { braceEnd = index + 1 }
        }
        for index in range.lowerBound..<tail {
            switch scalars[index] {
            case "(": lastOpening = index
            case "{": lastBrace = index
            case _ where scalars[index].value < 0x21: lastControl = index
            default: break
            }
        }
    }

    /// Returns the link that begins at a position; `nil` if there is none.
    func link(at start: Int) -> (range: Range<Int>, url: String)? {
        // Links begin with a letter or a digit.
        guard Self.isHostByte(scalars[start]), scalars[start] != "-" else { return nil }
        if start > 0, Self.continuesWord(scalars[..<start]) { return nil }
        let end = self.end(for: start)
        guard end - start >= 4 else { return nil }
        if let scheme = WebHost.schemeEnd(of: scalars[start..<range.upperBound], rules) {
            guard scheme < end, !WebHost.endsAuthority(scalars[scheme]), lastControl < start else { return nil }
            return (start..<end, text(start..<end))
        }
        guard let host = hostEnd(from: start, to: end), Self.isDomain(scalars[start..<host]) else { return nil }
        return (start..<end, "http://\(text(start..<end))")
    }

    /// Returns whether a part of a text is a host of a well-known top-level domain, with or without a path.
    static func isBareDomain(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> Bool {
        let host = scalars[range].firstIndex { !isHostByte($0) && $0 != "." } ?? range.upperBound
        guard host == range.upperBound || WebHost.endsAuthority(scalars[host]) else { return false }
        return isDomain(scalars[range.lowerBound..<host])
    }

    /// Returns the end of a link without trailing punctuation, and without a closing bracket that is not opened in the
    /// link. The closing brace of a template belongs to the URL.
    private func end(for start: Int) -> Int {
        var end = max(tail, start)
        if lastOpening >= start { end = max(end, closingEnd) }
        if lastBrace >= start { end = max(end, braceEnd) }
        return end
    }

    /// Returns the end of a host that extends to the path or to the end of the text; `nil` if it does not.
    private func hostEnd(from start: Int, to end: Int) -> Int? {
        let host = scalars[start..<end].firstIndex { !Self.isHostByte($0) && $0 != "." } ?? end
        return host == end || WebHost.endsAuthority(scalars[host]) ? host : nil
    }

    private static func isDomain(_ host: ArraySlice<Unicode.Scalar>) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.count <= 4,
            topLevelDomains.contains(String(String.UnicodeScalarView(last)).lowercased())
        else { return false }
        return labels.allSatisfy { !$0.isEmpty && $0.first != "-" && $0.last != "-" }
    }

    private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    /// Returns whether a link cannot begin after a text, because the text ends with a part of a word, a name or an
    /// address.
    private static func continuesWord(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.last.map { "@#./-:&".unicodeScalars.contains($0) } ?? false || EntityScanner.endsWord(text)
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", ",", ";", ":", "!", "?", "'", "\"", "]", "}", ">", "…": true
        default: false
        }
    }

    /// Returns whether a scalar is an ASCII letter, a digit or a hyphen.
    private static func isHostByte(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-": true
        default: false
        }
    }

    /// The top-level domains that are commonly written without a scheme. Words and file names should not become links.
    private static let topLevelDomains: Set<String> = [
        "at", "au", "be", "biz", "br", "ca", "cc", "ch", "cn", "co", "com", "cz", "de", "dk", "edu", "es", "eu", "fi",
        "fm", "fr", "gov", "ie", "im", "in", "info", "io", "is", "it", "jp", "ly", "me", "mobi", "name", "net", "nl",
        "no", "nu", "nz", "org", "pl", "pt", "ru", "se", "to", "tv", "uk", "us",
    ]
}
