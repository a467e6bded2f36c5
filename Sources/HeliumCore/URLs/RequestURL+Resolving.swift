internal import Foundation

extension RequestURL {
    /// The URL that a reference in this URL's answer means (RFC 3986 section 5.2); its fragment is dropped.
    ///
    /// - Parameter reference: An absolute URL, or one relative to this one: `//host/path`, `/path`, `path`, `?query`.
    /// - Throws: ``InvalidURL`` for another scheme than `http` and `https`, user information, or what can't be sent.
    package func resolving(_ reference: String) throws(InvalidURL) -> RequestURL {
        var text = reference.utf8.contains { $0 >= 0x80 || $0 == 0x20 } ? Self.escaped(reference) : reference
        if let mark = text.firstIndex(of: "#") { text = String(text[..<mark]) }
        if text.isEmpty { return self }
        if Self.hasScheme(text) {
            let url = try RequestURL(text)
            return RequestURL(origin: url.origin, target: Self.withoutDotSegments(url.target))
        }
        if text.hasPrefix("//") {
            let url = try RequestURL(origin.scheme + ":" + text)
            return RequestURL(origin: url.origin, target: Self.withoutDotSegments(url.target))
        }
        let path = target.prefix { $0 != "?" }
        let new: String
        if text.hasPrefix("/") {
            new = text
        } else if text.hasPrefix("?") {
            new = path + text
        } else {
            new = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + text
        }
        guard new.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw InvalidURL("path and query must be percent-encoded")
        }
        return RequestURL(origin: origin, target: Self.withoutDotSegments(new))
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: 58), let first = text.utf8.first, (first | 32) &- 97 < 26 else {
            return false
        }
        return text.utf8[..<colon].allSatisfy { byte in
            (byte | 32) &- 97 < 26 || byte &- 48 < 10 || byte == 43 || byte == 45 || byte == 46
        }
    }

    /// Servers send spaces and UTF-8 in `Location` that RFC 3986 does not allow; what follows the host can be repaired.
    private static func escaped(_ text: String) -> String {
        var start = text.startIndex
        if let authority = text.range(of: "//"), hasScheme(text) || authority.lowerBound == text.startIndex {
            start = text[authority.upperBound...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        }
        var out = Array(text[..<start].utf8)
        PercentEncoding.append(text[start...].utf8, to: &out, keeping: { $0 > 0x20 && $0 < 0x7F })
        return String(decoding: out, as: UTF8.self)
    }

    /// RFC 3986 section 5.2.4, for the path before the query.
    private static func withoutDotSegments(_ target: String) -> String {
        guard target.contains("/.") else { return target }
        let pathEnd = target.firstIndex(of: "?") ?? target.endIndex
        var segments: [Substring] = []
        let parts = target[..<pathEnd].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { segments.append("") }
            case "..":
                if !segments.isEmpty { segments.removeLast() }
                if isLast { segments.append("") }
            default: segments.append(part)
            }
        }
        return "/" + segments.joined(separator: "/") + target[pathEnd...]
    }
}
