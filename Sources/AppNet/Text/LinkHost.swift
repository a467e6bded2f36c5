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

extension Entities.Link {
    /// The text that the server appends to the anchor because its host differs from that of the URL; `nil` if they are
    /// the same.
    public var hostWarning: String? {
        guard let text, let url else { return nil }
        return LinkHost.warning(anchor: text, url: url.text)
    }
}
