package import HeliumEssentials

/// The HTTP proxy of a connection: its address and its credentials.
package struct ProxyRoute: Sendable {
    /// The name or address of the proxy, without the brackets of an IPv6 literal.
    package let host: String
    package let port: Int
    /// The value of `Proxy-Authorization`.
    package let authorization: Secret?
    /// The secrets to mask: the password, and the credentials as they are sent.
    package let secrets: [String]

    /// The URL without credentials.
    package var urlString: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }
}

/// The rule by which the proxy of a connection is found.
package enum ProxyChoice: Sendable {
    /// No proxy.
    case none
    /// The proxy of these environment variables, by libcurl's rules.
    case environment([String: String])
    /// One proxy for all connections.
    case url(URL)
}

extension ProxyRoute {
    /// Returns the proxy for a connection, or `nil` for a direct one.
    ///
    /// - Parameters:
    ///   - host: The name or address of the host, without brackets.
    ///   - scheme: The scheme of the connection's URL in lower case, which environment variables contain.
    ///   - isSecure: Whether the connection is encrypted. Schemes other than `http` and `https` then use the variables of
    ///     `https`, and otherwise those of `http`.
    /// - Throws: ``InvalidURL`` for a proxy with an invalid URL.
    package static func route(
        to host: String,
        scheme: String,
        isSecure: Bool,
        by choice: ProxyChoice
    ) throws(InvalidURL) -> ProxyRoute? {
        switch choice {
        case .none:
            return nil
        case .url(let url):
            return try ProxyRoute(url.absoluteString)
        case .environment(let variables):
            let names = variableNames(scheme: scheme, isSecure: isSecure)
            guard let text = names.lazy.compactMap({ variables[$0] }).first(where: { !$0.isEmpty }) else { return nil }
            let exceptions = ["no_proxy", "NO_PROXY"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
            if let exceptions, ProxyExceptions(exceptions).contains(host) { return nil }
            return try ProxyRoute(text)
        }
    }

    /// Returns the variables of a scheme. `HTTP_PROXY` is not one of them, because a server's environment may contain a
    /// request's field `Proxy` under that name.
    private static func variableNames(scheme: String, isSecure: Bool) -> [String] {
        let own = scheme == "http" ? ["http_proxy"] : ["\(scheme)_proxy", "\(scheme.uppercased())_PROXY"]
        return own + (isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]) + ["all_proxy", "ALL_PROXY"]
    }

    /// Creates a route from the proxy's URL. The scheme may be missing, as in libcurl.
    package init(_ text: String) throws(InvalidURL) {
        var rest = text[...]
        if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text.utf8[colon...].starts(with: "://".utf8) {
            guard text[..<colon].lowercased() == "http" else { throw InvalidURL("the proxy's scheme must be http") }
            rest = text[text.utf8.index(colon, offsetBy: 3)...]
        }
        var credentials: String?
        let authority = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
        var place = authority
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            credentials = PercentEncoding.decoded(String(authority[..<at]))
            guard credentials != nil else { throw InvalidURL("the proxy's user and password can't be decoded") }
            place = authority[authority.utf8.index(after: at)...]
        }
        let origin: Origin
        do throws(InvalidURL) {
            origin = try RequestURL("http://\(place)/").origin
            // An origin drops the default port of its scheme. That of a proxy is another one.
            let secure = try RequestURL("https://\(place)/").origin
            port = origin.port ?? secure.port ?? 1080
        } catch {
            throw InvalidURL("the proxy's URL: \(error)")
        }
        host = origin.host.first == "[" ? String(origin.host.dropFirst().dropLast()) : origin.host
        guard let credentials else {
            authorization = nil
            secrets = []
            return
        }
        let userAndPassword = credentials.contains(":") ? credentials : credentials + ":"
        let encoded = Data(userAndPassword.utf8).base64EncodedString()
        authorization = Secret("Basic \(encoded)")
        let password = userAndPassword.drop { $0 != ":" }.dropFirst()
        secrets = [encoded, String(password)]
    }
}
