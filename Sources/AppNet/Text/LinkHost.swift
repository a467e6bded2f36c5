internal import HeliumJSON

/// The host that a text names, as far as the service looks (§3.6): a scheme is left out, and all from `/`, `?`, `#` or a blank on.
package enum LinkHost {
    /// The host: `posts.app.net`.
    package static func host(of text: some StringProtocol) -> String {
        var rest = text[...]
        if let scheme = scheme(of: rest) { rest = rest[scheme...] }
        let end = rest.unicodeScalars.firstIndex { scalar in
            scalar == "/" || scalar == "?" || scalar == "#" || scalar.properties.isWhitespace
        }
        return String(rest[..<(end ?? rest.endIndex)])
    }

    /// Where the text behind `http://` begins.
    private static func scheme<Text: StringProtocol>(of text: Text) -> Text.Index? {
        let scalars = text.unicodeScalars
        guard let colon = scalars.firstIndex(where: { !$0.isASCIILetter }), colon > scalars.startIndex,
            scalars[colon...].starts(with: "://".unicodeScalars)
        else { return nil }
        return scalars.index(colon, offsetBy: 3)
    }

    /// What the server puts behind an anchor that names another host than its URL: ` [posts.app.net]`; `nil` if it is the same.
    package static func warning(anchor: some StringProtocol, url: String) -> String? {
        let host = host(of: url)
        return Self.host(of: anchor).lowercased().hasSameBytes(as: host.lowercased()) ? nil : " [\(host)]"
    }
}

extension Unicode.Scalar {
    var isASCIILetter: Bool { 65...90 ~= value || 97...122 ~= value }

    /// One of a user's name: a letter, digit or `_` of ASCII.
    var isNameScalar: Bool { isASCIILetter || 48...57 ~= value || self == "_" }

    /// One of a word: a letter or digit of any script, or `_`.
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
    /// What the server puts behind the anchor, because it names another host than the URL; `nil` if it names the same.
    public var hostWarning: String? {
        guard let text, let url else { return nil }
        return LinkHost.warning(anchor: text, url: url.text)
    }
}
