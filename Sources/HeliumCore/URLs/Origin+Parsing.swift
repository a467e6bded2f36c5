public import Foundation

extension Origin {
    /// Creates the origin of a URL.
    ///
    /// An internationalised host becomes its A-label, letters of scheme and host become lower case, and the scheme's
    /// default port is dropped (RFC 3986 §6.2).
    ///
    /// - Throws: ``InvalidURL`` if the scheme is not `http` or `https`, if there is no host, for user information, for
    ///   a port that is not a number from 1 to 65535, and for a host that is not allowed in a `Host` header.
    public init(_ url: URL) throws(InvalidURL) {
        self = try AbsoluteURL(url.absoluteString).origin
    }
}

extension RequestURL {
    /// Creates a URL that is sent exactly as given.
    ///
    /// - Parameter string: An absolute URL, already percent-encoded. A fragment is dropped, and an empty path becomes
    ///   `/`.
    /// - Throws: ``InvalidURL`` as for ``Origin/init(_:)``, and if the target contains characters that can't be sent.
    public init(_ string: String) throws(InvalidURL) {
        // Uses Foundation only to convert a host to its A-label, because it would escape a target again.
        let absolute: AbsoluteURL
        if string.utf8.allSatisfy({ $0 < 0x80 }) {
            absolute = try AbsoluteURL(string)
        } else {
            guard Self.hasPossibleHost(string) else { throw InvalidURL("the host is longer than the name of any host") }
            guard let url = URL(string: string) else { throw InvalidURL("this is no URL") }
            absolute = try AbsoluteURL(url.absoluteString)
        }
        var target = absolute.target
        if let mark = target.firstIndex(of: "#") { target = target[..<mark] }
        let isPathMissing = target.first != "/"
        self.init(origin: absolute.origin, target: isPathMissing ? "/" + target : String(target))
        guard self.target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw InvalidURL("path and query must be percent-encoded")
        }
    }

    /// Returns whether a host has no more code points than its A-label may have bytes: 253 (RFC 1035 §2.3.4). The
    /// conversion to an A-label normalises the host, which takes quadratic time for a host of combining marks.
    private static func hasPossibleHost(_ url: String) -> Bool {
        let scalars = url.unicodeScalars
        let authority = scalars.drop { $0 != "/" }.drop { $0 == "/" }
        return authority.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.count <= 253 + ":65535".count
    }
}

/// An absolute URL split into its origin and the rest.
private struct AbsoluteURL {
    let origin: Origin
    let target: Substring

    init(_ text: String) throws(InvalidURL) {
        // Requires ASCII, for which comparing and searching take linear time.
        guard text.isASCII else { throw InvalidURL("the URL has characters no URL has") }
        guard let schemeEnd = text.range(of: "://") else { throw InvalidURL("the URL has no scheme") }
        let scheme = text[..<schemeEnd.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { throw InvalidURL("the scheme must be http or https") }

        let rest = text[schemeEnd.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        target = rest[authority.endIndex...]
        guard !authority.contains("@") else {
            throw InvalidURL("the URL must not carry a user name or password")
        }
        let (host, port) = try AbsoluteURL.split(authority)
        let ownPort = scheme == "https" ? 443 : 80
        origin = Origin(scheme: scheme, host: host, port: port == ownPort ? nil : port)
    }

    private static func split(_ authority: Substring) throws(InvalidURL) -> (host: String, port: Int?) {
        var host = authority
        var portText: Substring?
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else { throw InvalidURL("the IPv6 host lacks its bracket") }
            host = authority[...close]
            let after = authority[authority.index(after: close)...]
            guard after.isEmpty || after.first == ":" else { throw InvalidURL("the port is not a number") }
            portText = after.isEmpty ? nil : after.dropFirst()
            guard host.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }), host.count > 3
            else { throw InvalidURL("the IPv6 host is not valid") }
        } else {
            if let colon = authority.firstIndex(of: ":") {
                host = authority[..<colon]
                portText = authority[authority.index(after: colon)...]
            }
            guard !host.isEmpty else { throw InvalidURL("the URL has no host") }
            guard host.utf8.allSatisfy(isHostByte) else { throw InvalidURL("the host has characters no host has") }
        }
        guard let portText, !portText.isEmpty else { return (host.lowercased(), nil) }
        guard portText.utf8.allSatisfy({ 48...57 ~= $0 }), let port = Int(portText), 1...65535 ~= port else {
            throw InvalidURL("the port is not a number from 1 to 65535")
        }
        return (host.lowercased(), port)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        (byte | 32) &- 97 < 26 || byte &- 48 < 10 || byte == 45 || byte == 46 || byte == 95
    }
}
