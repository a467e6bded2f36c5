/// A part of a text without white space, in which links are looked for. What depends on its end is found once, so that
/// each place in it costs no more than the word that begins there.
struct LinkStretch {
    let range: Range<Int>
    private let scalars: [Unicode.Scalar]
    private let rules: TextRules
    /// Punctuation and closing brackets stand from here to the end.
    private let tail: Int
    /// The places before ``tail`` of the last `(`, the last `{` and the last control character.
    private var lastOpening = -1
    private var lastBrace = -1
    private var lastControl = -1
    /// The ends of the last `)` and the last `}` behind ``tail``.
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

    /// The link that begins at a place; `nil` if none does.
    func link(at start: Int) -> (range: Range<Int>, url: String)? {
        // Links begin with a letter or a digit.
        guard Self.isHostByte(scalars[start]), scalars[start] != "-" else { return nil }
        if start > 0, Self.continuesWord(scalars[start - 1]) { return nil }
        let end = self.end(for: start)
        guard end - start >= 4 else { return nil }
        if let scheme = WebHost.schemeEnd(of: scalars[start..<range.upperBound], rules) {
            guard scheme < end, !WebHost.endsAuthority(scalars[scheme]), lastControl < start else { return nil }
            return (start..<end, text(start..<end))
        }
        guard let host = hostEnd(from: start, to: end), Self.isDomain(scalars[start..<host]) else { return nil }
        return (start..<end, "http://\(text(start..<end))")
    }

    /// Whether a part of a text is a host of a well-known top-level domain, with or without a path.
    static func isBareDomain(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> Bool {
        let host = scalars[range].firstIndex { !isHostByte($0) && $0 != "." } ?? range.upperBound
        guard host == range.upperBound || WebHost.endsAuthority(scalars[host]) else { return false }
        return isDomain(scalars[range.lowerBound..<host])
    }

    /// Leaves out punctuation at the end, and a closing bracket that was not opened inside. A template ends in a brace
    /// that belongs to the URL.
    private func end(for start: Int) -> Int {
        var end = max(tail, start)
        if lastOpening >= start { end = max(end, closingEnd) }
        if lastBrace >= start { end = max(end, braceEnd) }
        return end
    }

    /// The end of a host that fills a text up to its path, or the whole text.
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

    /// A character before which a link cannot begin: it is in the middle of a word, a name or an address.
    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isWord(scalar) || "@#./-:&".unicodeScalars.contains(scalar)
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", ",", ";", ":", "!", "?", "'", "\"", "]", "}", ">", "…": true
        default: false
        }
    }

    /// A letter of ASCII, a digit or a hyphen.
    private static func isHostByte(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-": true
        default: false
        }
    }

    /// Those that people write without a scheme; a word and a file's name should not become links.
    private static let topLevelDomains: Set<String> = [
        "at", "au", "be", "biz", "br", "ca", "cc", "ch", "cn", "co", "com", "cz", "de", "dk", "edu", "es", "eu", "fi",
        "fm", "fr", "gov", "ie", "im", "in", "info", "io", "is", "it", "jp", "ly", "me", "mobi", "name", "net", "nl",
        "no", "nu", "nz", "org", "pl", "pt", "ru", "se", "to", "tv", "uk", "us",
    ]
}
