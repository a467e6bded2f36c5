internal import Foundation
internal import HeliumCore

/// The address of a connection: the parts of a validated URL.
struct WebSocketAddress: Sendable {
    /// The host without the brackets of an IPv6 literal.
    let host: String
    let port: Int
    let isSecure: Bool
    /// The value of the `Host` field.
    let hostField: String
    /// The request target.
    let target: String
    /// The URL with query values masked.
    let redacted: String
    /// The values of the query, which may be keys.
    let secrets: [String]

    /// Creates an address.
    ///
    /// - Throws: ``InvalidURL`` for a URL that is not `ws`, `wss`, `http` or `https`, or that ``RequestURL`` rejects.
    init(_ url: URL) throws(InvalidURL) {
        let text = url.absoluteString
        let scheme = text.prefix { $0 != ":" }
        guard let http = ["ws": "http", "wss": "https", "http": "http", "https": "https"][scheme.lowercased()] else {
            throw InvalidURL("the scheme must be ws, wss, http or https")
        }
        guard !text.contains("#") else { throw InvalidURL("the URL of a WebSocket must not have a fragment") }
        self.init(try RequestURL(http + text.dropFirst(scheme.count)))
    }

    /// Creates an address from the URL of a request.
    init(_ requestURL: RequestURL) {
        let origin = requestURL.origin
        isSecure = origin.isSecure
        host = origin.host.first == "[" ? String(origin.host.dropFirst().dropLast()) : origin.host
        port = origin.port ?? (origin.isSecure ? 443 : 80)
        hostField = origin.hostHeader
        target = requestURL.target
        redacted = (isSecure ? "wss" : "ws") + requestURL.redacted.dropFirst(origin.scheme.count)
        secrets = Self.queryValues(target)
    }

    /// The name of the scheme in environment variables.
    var scheme: String { isSecure ? "wss" : "ws" }

    private static func queryValues(_ target: String) -> [String] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return target[mark...].dropFirst().split(separator: "&").compactMap { item in
            item.firstIndex(of: "=").map { String(item[$0...].dropFirst()) }
        }
        .flatMap { [$0, $0.removingPercentEncoding ?? $0] }
    }
}
