/// Finds links in plain text (§3.6): URLs of the web, and bare hosts of well-known top-level domains with their paths.
struct LinkDetector {
    private let scalars: [Unicode.Scalar]
    private let isPnut: Bool

    /// - Parameter isPnut: whether the schemes that only pnut has are known, too (§6.3)
    init(_ scalars: [Unicode.Scalar], isPnut: Bool = false) {
        self.scalars = scalars
        self.isPnut = isPnut
    }

    /// Positions of links that touch none of `taken`, which are sorted, with their URLs.
    func links(outside taken: [Range<Int>]) -> [(range: Range<Int>, url: String)] {
        var found: [(Range<Int>, String)] = []
        var position = 0
        var taken = taken[...]
        while position < scalars.count {
            while let next = taken.first, next.upperBound <= position { taken = taken.dropFirst() }
            if let next = taken.first, next.lowerBound <= position {
                position = next.upperBound
                continue
            }
            let limit = taken.first?.lowerBound ?? scalars.count
            if let link = link(at: position, limit: limit) {
                found.append(link)
                position = link.range.upperBound
            } else {
                position += 1
            }
        }
        return found
    }

    private func link(at start: Int, limit: Int) -> (range: Range<Int>, url: String)? {
        if start > 0, Self.continuesWord(scalars[start - 1]) { return nil }
        let whole = start..<(scalars[start..<limit].firstIndex { $0.properties.isWhitespace || $0 == "<" } ?? limit)
        let range = withoutPunctuation(whole)
        guard range.count >= 4 else { return nil }
        let text = String(String.UnicodeScalarView(scalars[range]))
        if Self.isWebURL(text, isPnut: isPnut) { return (range, text) }
        return Self.isBareDomain(text) ? (range, "http://\(text)") : nil
    }

    /// A character before which a link cannot begin: it is in the middle of a word, a name or an address.
    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        EntityScanner.isWord(scalar) || "@#./-:&".unicodeScalars.contains(scalar)
    }

    /// Leaves out punctuation at the end, and a closing bracket that was not opened inside.
    private func withoutPunctuation(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        // Looked for once: text may be nothing but brackets.
        let bracket = scalars[range].firstIndex(of: "(") ?? range.upperBound
        let brace = scalars[range].firstIndex(of: "{") ?? range.upperBound
        while end > range.lowerBound {
            let last = scalars[end - 1]
            let isBracket = last == ")" && bracket >= end - 1
            guard isBracket || ".,;:!?'\"]}>…".unicodeScalars.contains(last) else { break }
            // A template ends in a brace that belongs to the URL.
            if last == "}", brace < end - 1 { break }
            end -= 1
        }
        return range.lowerBound..<end
    }

    /// Whether a text is a host of a well-known top-level domain, with or without a path.
    static func isBareDomain(_ text: String) -> Bool {
        let host = WebHost.authority(of: text).lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, topLevelDomains.contains(String(last)) else {
            return false
        }
        return labels.allSatisfy { label in
            !label.isEmpty && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy {
                    Username.isNameByte($0) && $0 != UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                }
        }
    }

    /// `http` or `https`, on pnut also `ftp` or `gopher`, with a host and without white space.
    static func isWebURL(_ text: String, isPnut: Bool = false) -> Bool {
        let lower = text.lowercased()
        guard WebHost.schemes(isPnut: isPnut).contains(where: lower.hasPrefix) else { return false }
        return !WebHost.authority(of: text, isPnut: isPnut).isEmpty
            && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x21 }
    }

    /// Those that people write without a scheme; a word and a file's name should not become links.
    private static let topLevelDomains: Set<String> = [
        "at", "au", "be", "biz", "br", "ca", "cc", "ch", "cn", "co", "com", "cz", "de", "dk", "edu", "es", "eu", "fi",
        "fm", "fr", "gov", "ie", "im", "in", "info", "io", "is", "it", "jp", "ly", "me", "mobi", "name", "net", "nl",
        "no", "nu", "nz", "org", "pl", "pt", "ru", "se", "to", "tv", "uk", "us",
    ]
}
