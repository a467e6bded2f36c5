internal import HeliumCrypto

/// The parts of a request that its signature covers, exactly as they were received (Docs/Protocols/Middleware.md §1.2).
package struct SignedRequest: Sendable {
    /// The method of the request line.
    package var method: String
    /// The value of `X-Forwarded-Proto` if it was sent, otherwise the scheme of the server's own socket.
    package var scheme: String
    /// The `Host` header, unchanged.
    package var hostHeader: String
    /// The target of the request line, unchanged: path and query as encoded.
    package var requestTarget: String
    /// The body that is signed: the decoded text of a JSON body, empty for every other body
    /// (Docs/Protocols/Middleware.md §1.3).
    package var bodyText: String

    package init(method: String, scheme: String, hostHeader: String, requestTarget: String, bodyText: String) {
        self.method = method
        self.scheme = scheme
        self.hostHeader = hostHeader
        self.requestTarget = requestTarget
        self.bodyText = bodyText
    }

    /// The request with an absolute target (RFC 9112 §3.2.2), of which the HTTP library keeps only the path.
    var withAbsoluteTarget: Self {
        var request = self
        request.requestTarget = "\(scheme)://\(hostHeader)\(requestTarget)"
        return request
    }

    /// Returns the signature that a device's key must contain: 64 lower-case hexadecimal characters.
    package func signature(deviceID: String, secret: String, timestamp: String) -> String {
        let bodyHash = bodyText.isEmpty ? "" : Self.hash(bodyText)
        return Self.hash(
            deviceID + secret + timestamp + method + scheme + "://" + hostHeader + requestTarget + bodyHash
        )
    }

    /// Returns the SHA-256 of the lower-cased text's UTF-8, in hexadecimal.
    static func hash(_ text: String) -> String {
        SHA256.hash(DefaultLowerCase.apply(to: text).utf8).hex
    }
}
