public import HeliumEssentials

extension Origin {
    /// Creates the origin of a URL.
    ///
    /// An internationalized host becomes its A-label, letters of scheme and host become lower case, and the scheme's
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
        let absolute = try AbsoluteURL(string)
        // By bytes: a combining mark would hide the character before it.
        let target = absolute.target.utf8.prefix { $0 != UInt8(ascii: "#") }
        let isPathMissing = target.first != UInt8(ascii: "/")
        // Characters that are not ASCII can be meant in one way only; everything else stays as it is.
        var bytes: [UInt8] = isPathMissing ? [UInt8(ascii: "/")] : []
        PercentEncoding.append(target, to: &bytes) { $0 < 0x80 }
        self.init(origin: absolute.origin, target: String(decoding: bytes, as: UTF8.self))
        guard self.target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw InvalidURL("path and query must be percent-encoded")
        }
    }
}

/// An absolute URL split into its origin and the rest. The parser compares bytes, because a combining mark would change the
/// character before it.
private struct AbsoluteURL {
    let origin: Origin
    let target: Substring

    init(_ text: String) throws(InvalidURL) {
        let bytes = text.utf8
        guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[schemeEnd...].starts(with: "://".utf8)
        else {
            throw InvalidURL("the URL has no scheme")
        }
        let scheme = text[..<schemeEnd].lowercased()
        guard scheme == "http" || scheme == "https" else { throw InvalidURL("the scheme must be http or https") }

        let rest = bytes[schemeEnd...].dropFirst(3)
        let authority = rest.prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        target = Substring(rest[authority.endIndex...])
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw InvalidURL("the URL must not have a user name or password")
        }
        let (host, port) = try AbsoluteURL.split(authority)
        let ownPort = scheme == "https" ? 443 : 80
        origin = Origin(scheme: scheme, host: host, port: port == ownPort ? nil : port)
    }

    private static func split(_ authority: Substring.UTF8View) throws(InvalidURL) -> (host: String, port: Int?) {
        var host = authority
        var portText: Substring.UTF8View?
        if authority.first == UInt8(ascii: "[") {
            guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else {
                throw InvalidURL("the IPv6 host has no closing bracket")
            }
            host = authority[...close]
            let after = authority[close...].dropFirst()
            guard after.isEmpty || after.first == UInt8(ascii: ":") else {
                throw InvalidURL("the port is not a number")
            }
            portText = after.isEmpty ? nil : after.dropFirst()
            guard !host.contains(UInt8(ascii: "%")) else {
                throw InvalidURL("the IPv6 host has a zone id (RFC 6874), which is not supported")
            }
            guard host.dropFirst().dropLast().allSatisfy(isAddressByte), host.count > 3 else {
                throw InvalidURL("the IPv6 host is invalid")
            }
        } else if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            host = authority[..<colon]
            portText = authority[colon...].dropFirst()
        }
        guard !host.isEmpty else { throw InvalidURL("the URL has no host") }
        let name = try name(of: host)
        guard let portText, !portText.isEmpty else { return (name, nil) }
        guard portText.allSatisfy({ 48...57 ~= $0 }), let port = Int(Substring(portText)), 1...65535 ~= port else {
            throw InvalidURL("the port is not a number from 1 to 65535")
        }
        return (name, port)
    }

    /// The host as it is sent, in lower case.
    private static func name(of host: Substring.UTF8View) throws(InvalidURL) -> String {
        if host.contains(where: { $0 >= 0x80 }) { return try InternationalHost.ascii(Substring(host)) }
        guard host.first == UInt8(ascii: "[") || host.allSatisfy(Origin.isHostByte) else {
            throw InvalidURL("the host has invalid characters")
        }
        return Substring(host).lowercased()
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        (byte | 32) &- 97 < 6 || byte &- 48 < 10 || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}

extension Origin {
    /// Returns whether a byte can be part of a host's name.
    static func isHostByte(_ byte: UInt8) -> Bool {
        (byte | 32) &- 97 < 26 || byte &- 48 < 10 || byte == 45 || byte == 46 || byte == 95
    }
}
