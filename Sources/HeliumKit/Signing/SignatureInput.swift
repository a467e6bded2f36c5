/// What of a request goes into its signature, byte for byte as it goes on the wire (middleware.md §1.2).
///
/// The body is handed over separately, so that the bytes that are sent are the bytes that are hashed.
public struct SignatureInput: Sendable, Hashable {
    /// The method of the request line; `HEAD` signs as `HEAD`. Letter case does not matter.
    public var method: String
    /// `http` or `https`, as the client sees it: in front of a TLS proxy that is `https`.
    public var scheme: String
    /// The `Host` header that is sent: without a default port, IPv6 in brackets, an IDN as A-label, no user info.
    public var host: String
    /// The request target that is sent: the path as encoded (`/` if empty), `?` and query if there is one, no fragment.
    public var target: String
    /// The `Content-Type` header that is sent; nil if none is. It decides whether the body is signed.
    public var contentType: String?

    /// Collects the parts; nothing is checked or normalised.
    public init(method: String, scheme: String, host: String, target: String, contentType: String? = nil) {
        self.method = method
        self.scheme = scheme
        self.host = host
        self.target = target
        self.contentType = contentType
    }

    /// Whether the server hashes a body of this type: the media type is exactly `application/json`, with any
    /// parameters and in any letter case (middleware.md §1.3).
    public var signsBody: Bool {
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

/// OWS of RFC 9110 §5.6.3.
private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
