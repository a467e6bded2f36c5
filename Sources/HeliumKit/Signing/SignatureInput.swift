/// The parts of a request that its signature covers, exactly as they are sent (Docs/Protocols/Middleware.md §1.2).
///
/// The body is passed separately, so that the bytes that are sent are the bytes that are hashed.
public struct SignatureInput: Sendable, Hashable {
    /// The method of the request line; `HEAD` is signed as `HEAD`. Letter case is ignored.
    public var method: String
    /// The scheme as the client sees it, `http` or `https`. In front of a TLS proxy it is `https`.
    public var scheme: String
    /// The `Host` header that is sent: without a default port, with an IPv6 address in brackets, an IDN as its A-label,
    /// and without user info.
    public var host: String
    /// The request target that is sent: the encoded path (`/` if empty), then `?` and the query if there is one,
    /// without a fragment.
    public var target: String
    /// The `Content-Type` header that is sent; `nil` if none is sent. It decides whether the body is signed.
    public var contentType: String?

    /// Creates an input. The parts are neither validated nor normalized.
    public init(method: String, scheme: String, host: String, target: String, contentType: String? = nil) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.target = target
        self.contentType = contentType
    }

    /// Whether the server hashes a body of this type. That is the case if the media type is exactly `application/json`,
    /// with any parameters and in any letter case (Docs/Protocols/Middleware.md §1.3).
    package var signsBody: Bool {
        guard let contentType else { return false }
        var utf8 = contentType.utf8[...]
        if let semicolon = utf8.firstIndex(of: UInt8(ascii: ";")) { utf8 = utf8[..<semicolon] }
        while let last = utf8.last, isBlank(last) { utf8.removeLast() }
        while let first = utf8.first, isBlank(first) { utf8.removeFirst() }
        return utf8.elementsEqual("application/json".utf8) { character, expected in
            character == expected || (character | 0x20 == expected && expected != UInt8(ascii: "/"))
        }
    }
}

/// Returns whether the byte is OWS (RFC 9110 §5.6.3).
private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
