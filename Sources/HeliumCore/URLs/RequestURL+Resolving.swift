extension RequestURL {
    /// Returns the URL of a reference in the response to this URL (RFC 3986 §5.2).
    ///
    /// Escapes in the reference are kept unchanged; only dot segments are resolved.
    ///
    /// - Throws: ``InvalidURL`` for another scheme than `http` and `https`, and for a URL that is not valid.
    package func resolving(_ reference: String) throws(InvalidURL) -> RequestURL {
        let fragment = reference.utf8.firstIndex(of: UInt8(ascii: "#")) ?? reference.endIndex
        let reference = reference[..<fragment]
        if let scheme = Self.scheme(of: reference) {
            guard scheme == "http" || scheme == "https" else { throw InvalidURL("the scheme must be http or https") }
            return try RequestURL(String(reference)).removingDotSegments()
        }
        if reference.hasBytePrefix("//") {
            return try RequestURL("\(origin.scheme):\(reference)").removingDotSegments()
        }
        guard reference.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw InvalidURL("path and query must be percent-encoded")
        }
        return RequestURL(origin: origin, target: merged(reference)).removingDotSegments()
    }

    private func merged(_ reference: Substring) -> String {
        let path = target.prefix { $0 != "?" }
        switch reference.first {
        case nil: return target
        case "/": return String(reference)
        case "?": return String(path) + reference
        default: return String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) + reference
        }
    }

    /// Returns the text before the first colon, in lower case, if it has the form of a scheme (RFC 3986 §3.1).
    private static func scheme(of reference: Substring) -> String? {
        guard let colon = reference.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = reference.utf8[..<colon]
        guard let first = name.first, (first | 32) &- 97 < 26,
            name.allSatisfy({ ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 || $0 == 43 || $0 == 45 || $0 == 46 })
        else { return nil }
        return reference[..<colon].lowercased()
    }

    /// Returns the URL without `.` and `..` in its path (RFC 3986 §5.2.4). The query is not changed.
    private func removingDotSegments() -> RequestURL {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            return self
        }
        var kept: [String] = []
        for (index, segment) in segments.enumerated() {
            let text = String(decoding: segment, as: UTF8.self)
            if text == ".." { _ = kept.popLast() }
            if text != ".", text != ".." {
                kept.append(text)
            } else if index == segments.count - 1 {
                kept.append("")
            }
        }
        let query = target[path.endIndex...]
        return RequestURL(origin: origin, target: "/" + kept.joined(separator: "/") + query)
    }

    /// Returns a reference with the characters after the host escaped that servers send although a URL may not contain
    /// them: spaces and UTF-8.
    static func escapingStrays(_ reference: String) -> String {
        guard reference.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else { return reference }
        var start = reference.startIndex
        let authority = scheme(of: reference[...]).map { $0.utf8.count + 1 } ?? 0
        if reference.utf8.dropFirst(authority).starts(with: "//".utf8) {
            let host = reference.utf8.index(reference.startIndex, offsetBy: authority + 2)
            start = reference.utf8[host...].firstIndex { $0 == 47 || $0 == 63 || $0 == 35 } ?? reference.endIndex
        }
        var out = Array(reference[..<start].utf8)
        PercentEncoding.append(reference[start...].utf8, to: &out, keeping: { $0 > 0x20 && $0 < 0x7F })
        return String(decoding: out, as: UTF8.self)
    }
}
