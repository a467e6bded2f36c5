/// A scanner for links with a scheme and for bare domains in a text (Docs/Protocols/AppNet.md §3.6).
enum LinkScanner {
    /// Returns the given links, merged with the links that are found between them.
    static func merged(_ given: [LinkSpan], foundIn scalars: [Unicode.Scalar]) -> [LinkSpan] {
        var all: [LinkSpan] = []
        var start = 0
        for span in given {
            all += links(in: scalars, start..<span.range.lowerBound)
            all.append(span)
            start = span.range.upperBound
        }
        return all + links(in: scalars, start..<scalars.count)
    }

    private static func links(in scalars: [Unicode.Scalar], _ range: Range<Int>) -> [LinkSpan] {
        var links: [LinkSpan] = []
        var index = range.lowerBound
        var wordEnd = index
        while index < range.upperBound {
            // A link begins with a letter or digit at the beginning of a word.
            guard isBeginning(scalars, index) else {
                index += 1
                continue
            }
            if index >= wordEnd { wordEnd = self.wordEnd(scalars, index, range.upperBound) }
            if let link = link(in: scalars, index..<wordEnd) {
                links.append(link)
                index = link.range.upperBound
            } else {
                index += 1
                while index < wordEnd, scalars[index].isNameScalar || scalars[index] == "." { index += 1 }
            }
        }
        return links
    }

    private static func isBeginning(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        guard scalars[index].isWordScalar else { return false }
        guard index > 0 else { return true }
        return !scalars.continuesWord(at: index) && !["@", "#", "/", "&", "-", "."].contains(scalars[index - 1])
    }

    private static func wordEnd(_ scalars: [Unicode.Scalar], _ start: Int, _ limit: Int) -> Int {
        var end = start
        while end < limit, !scalars[end].properties.isWhitespace, !["<", ">", "\""].contains(scalars[end]) { end += 1 }
        return end
    }

    /// Returns the length of `http://` or `https://` at a position; `nil` if there is no such scheme.
    static func schemeLength(in scalars: [Unicode.Scalar], at index: Int) -> Int? {
        ["https://", "http://"].first { scheme in
            let scheme = scheme.unicodeScalars
            return scalars.count - index > scheme.count
                && zip(scalars[index...], scheme).allSatisfy { $0.properties.lowercaseMapping == String($1) }
        }?.count
    }

    private static func link(in scalars: [Unicode.Scalar], _ word: Range<Int>) -> LinkSpan? {
        if let scheme = schemeLength(in: scalars, at: word.lowerBound) {
            let range = word.lowerBound..<trimmedEnd(scalars, word)
            return range.count > scheme ? LinkSpan(range: range, url: String(scalars[range])) : nil
        }
        guard let host = hostEnd(scalars, word) else { return nil }
        let hasPath = host < word.upperBound && ["/", "?", "#", ":"].contains(scalars[host])
        let range = word.lowerBound..<(hasPath ? max(host, trimmedEnd(scalars, word)) : host)
        return LinkSpan(range: range, url: "http://" + String(scalars[range]))
    }

    /// Returns the end of a word without trailing punctuation. A closing bracket is kept if it was opened in the word, as
    /// in the template `https://example.com/{post_id}`.
    private static func trimmedEnd(_ scalars: [Unicode.Scalar], _ word: Range<Int>) -> Int {
        var end = word.upperBound
        // The numbers of brackets that are closed but not opened.
        var unopened: [Unicode.Scalar: Int] = [:]
        for scalar in scalars[word] {
            if let closing = closingBrackets[scalar] { unopened[closing, default: 0] -= 1 }
            if closingBrackets.values.contains(scalar) { unopened[scalar, default: 0] += 1 }
        }
        while end > word.lowerBound {
            switch scalars[end - 1] {
            case ".", ",", ";", ":", "!", "?", "'", "\u{2019}", "\u{201D}", "\u{2026}", "*": end -= 1
            case let scalar where unopened[scalar, default: 0] > 0:
                end -= 1
                unopened[scalar, default: 0] -= 1
            default: return end
            }
        }
        return end
    }

    private static let closingBrackets: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]", "{": "}"]

    /// Returns the end of a bare domain with a known top-level domain; `nil` if there is none.
    private static func hostEnd(_ scalars: [Unicode.Scalar], _ range: Range<Int>) -> Int? {
        var end = range.lowerBound
        var lastDot: Int?
        while end < range.upperBound, scalars[end].isASCII,
            scalars[end].isNameScalar || scalars[end] == "-" || scalars[end] == "."
        {
            if scalars[end] == "." {
                // A dot that no label follows ends the sentence.
                guard end + 1 < range.upperBound, scalars[end + 1].isWordScalar || scalars[end + 1] == "-" else {
                    break
                }
                lastDot = end
            }
            end += 1
        }
        guard let lastDot else { return nil }
        if end < range.upperBound {
            let next = scalars[end]
            if next.isWordScalar || next.isMark || next == "@" { return nil }
        }
        return topLevelDomains.contains(String(scalars[(lastDot + 1)..<end]).lowercased()) ? end : nil
    }

    /// The top-level domains that are recognized without a scheme.
    private static let topLevelDomains: Set<String> = [
        "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "name", "mobi", "app", "dev", "io", "co", "me",
        "tv", "fm", "ly", "gl", "am", "is", "us", "uk", "de", "fr", "it", "es", "pt", "nl", "be", "ch", "at", "se",
        "no",
        "dk", "fi", "pl", "cz", "ru", "jp", "cn", "kr", "tw", "hk", "in", "au", "nz", "ca", "br", "mx", "ie", "eu",
        "to",
        "im", "cc", "ws", "la", "sh", "ac", "gd", "mp", "hu", "gr", "tr", "ua", "il", "za", "st", "so", "re", "pw",
        "xyz",
    ]
}
