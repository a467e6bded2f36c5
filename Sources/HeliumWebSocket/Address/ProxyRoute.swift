internal import Foundation
internal import HeliumCore

/// A proxy for a connection: its address and its credentials.
struct ProxyRoute: Sendable {
    let host: String
    let port: Int
    /// The value of `Proxy-Authorization`.
    let authorization: Secret?
    /// The secrets to mask: the password, and the credentials as they are sent.
    let secrets: [String]
}

extension ProxyRoute {
    /// Returns the proxy for an address, or `nil` for a direct connection.
    ///
    /// - Throws: ``InvalidURL`` for a proxy with an invalid URL.
    static func route(to address: WebSocketAddress, by proxy: WebSocketProxy) throws(InvalidURL) -> ProxyRoute? {
        switch proxy.choice {
        case .none:
            return nil
        case .url(let url):
            return try ProxyRoute(url.absoluteString)
        case .environment(let variables):
            guard let text = variable(for: address, in: variables) else { return nil }
            let exceptions = ["no_proxy", "NO_PROXY"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
            if let exceptions, ProxyExceptions(exceptions).contains(address.host) { return nil }
            return try ProxyRoute(text)
        }
    }

    private static func variable(for address: WebSocketAddress, in variables: [String: String]) -> String? {
        let names =
            address.isSecure
            ? ["wss_proxy", "WSS_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            : ["ws_proxy", "WS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"]
        return names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty }
    }

    /// Creates a route from the proxy's URL. The scheme may be missing, as in libcurl.
    init(_ text: String) throws(InvalidURL) {
        var rest = text[...]
        if let end = text.range(of: "://") {
            guard text[..<end.lowerBound].lowercased() == "http" else {
                throw InvalidURL("the proxy's scheme must be http")
            }
            rest = text[end.upperBound...]
        }
        var credentials: String?
        let authority = Substring(rest.utf8.prefix { !"/?#".utf8.contains($0) })
        var place = authority
        if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
            credentials = authority[..<at].removingPercentEncoding
            guard credentials != nil else { throw InvalidURL("the proxy's user and password can't be decoded") }
            place = authority[authority.utf8.index(after: at)...]
        }
        let origin: Origin
        do throws(InvalidURL) {
            origin = try RequestURL("http://\(place)/").origin
        } catch {
            throw InvalidURL("the proxy's URL: \(error)")
        }
        host = origin.host.first == "[" ? String(origin.host.dropFirst().dropLast()) : origin.host
        // The origin drops :80 because it is the default of the scheme, but the default port of a proxy is another one.
        port = origin.port ?? (place.hasSuffix(":80") ? 80 : 1080)
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
