internal import HeliumJSON

/// Functions for the host in a text or URL (Docs/Protocols/AppNet.md §3.6).
package enum LinkHost {
    /// Returns the host, such as `posts.app.net`: the text without a scheme, up to the first `/`, `?`, `#` or white
    /// space.
    package static func host(of text: some StringProtocol) -> String {
        var rest = text[...]
        if let scheme = scheme(of: rest) { rest = rest[scheme...] }
        let end = rest.unicodeScalars.firstIndex { scalar in
            scalar == "/" || scalar == "?" || scalar == "#" || scalar.properties.isWhitespace
        }
        return String(rest[..<(end ?? rest.endIndex)])
    }

    /// Returns the index after a scheme such as `http://`; `nil` if the text has none.
    private static func scheme<Text: StringProtocol>(of text: Text) -> Text.Index? {
        let scalars = text.unicodeScalars
        guard let colon = scalars.firstIndex(where: { !$0.isASCIILetter }), colon > scalars.startIndex,
            scalars[colon...].starts(with: "://".unicodeScalars)
        else { return nil }
        return scalars.index(colon, offsetBy: 3)
    }

    /// Returns the text that the server appends to an anchor with another host than its URL, such as
    /// ` [posts.app.net]`; `nil` if the hosts are the same.
    package static func warning(anchor: some StringProtocol, url: String) -> String? {
        let host = host(of: url)
        return Self.host(of: anchor).lowercased().hasSameBytes(as: host.lowercased()) ? nil : " [\(host)]"
    }
}

extension Unicode.Scalar {
    var isASCIILetter: Bool { 65...90 ~= value || 97...122 ~= value }

    /// Whether the scalar can be part of a user name: an ASCII letter, digit or `_`.
    var isNameScalar: Bool { isASCIILetter || 48...57 ~= value || self == "_" }

    /// Whether the scalar can be part of a word: a letter or digit of any script, or `_`.
    var isWordScalar: Bool {
        if isASCII { return isNameScalar }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }
}

extension Entities.Link {
    /// The text that the server appends to the anchor because its host differs from that of the URL; `nil` if they are
    /// the same.
    public var hostWarning: String? {
        guard let text, let url else { return nil }
        return LinkHost.warning(anchor: text, url: url.text)
    }
}
