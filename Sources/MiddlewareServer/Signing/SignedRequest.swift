internal import HeliumCrypto

/// What of a request its signature covers, exactly as it stood on the wire (§1.2).
struct SignedRequest: Sendable {
    /// The method of the request line.
    var method: String
    /// `X-Forwarded-Proto` where it was sent, else the scheme of the server's own socket.
    var scheme: String
    /// The `Host` header verbatim.
    var hostHeader: String
    /// The target of the request line verbatim: path and query as encoded.
    var requestTarget: String
    /// The body that counts for the signature: the decoded text of a JSON body, empty for every other body (§1.3).
    var bodyText: String

    /// The same request with an absolute target (RFC 9112 section 3.2.2), of which the HTTP library leaves the path only.
    var withAbsoluteTarget: Self {
        var request = self
        request.requestTarget = "\(scheme)://\(hostHeader)\(requestTarget)"
        return request
    }

    /// The signature that a device's key must carry: 64 lower-case hexadecimal characters.
    func signature(deviceID: String, secret: String, timestamp: String) -> String {
        let bodyHash = bodyText.isEmpty ? "" : Self.hash(bodyText)
        return Self.hash(
            deviceID + secret + timestamp + method + scheme + "://" + hostHeader + requestTarget + bodyHash
        )
    }

    /// SHA-256 over the lower-cased text's UTF-8, in hexadecimal.
    static func hash(_ text: String) -> String {
        SHA256.hash(DefaultLowerCase.apply(to: text).utf8).hex
    }
}
