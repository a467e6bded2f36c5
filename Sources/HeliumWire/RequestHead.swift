package import HTTPTypes
import HeliumEssentials

/// The head of a request as both protocols write it. The caller's thread composes and validates it.
package struct RequestHead: Sendable {
    /// The body that follows the head.
    package enum Body: Hashable, Sendable {
        case none
        /// A body of this many bytes, which may be 0.
        case length(Int64)
        /// A body whose length is not known when the head is written.
        case unknown
    }

    /// A token (RFC 9110 §9.1), in the letter case in which it is sent.
    package var method: String
    /// `http` or `https`.
    package var scheme: String
    /// The value of `Host` or `:authority`.
    package var authority: String
    /// The target in origin form, or `*`. It is sent as it is, without any normalization.
    package var target: String
    /// Whether HTTP/1.1 sends the target in absolute form, which a proxy requires (RFC 9112 §3.2.2).
    package var isAbsolute: Bool
    /// The caller's fields. Those that ``isOwn(_:)`` names are not sent.
    package var fields: HTTPFields
    /// The value of `Accept-Encoding`. If it is empty, the field is not sent.
    package var acceptEncoding: String
    package var body: Body

    package init(
        method: String = "GET",
        scheme: String = "http",
        authority: String,
        target: String = "/",
        isAbsolute: Bool = false,
        fields: HTTPFields = [:],
        acceptEncoding: String = "",
        body: Body = .none
    ) {
        self.method = method
        self.scheme = scheme
        self.authority = authority
        self.target = target
        self.isAbsolute = isAbsolute
        self.fields = fields
        self.acceptEncoding = acceptEncoding
        self.body = body
    }
}

// MARK: Validation

extension RequestHead {
    /// The reason why the head can't be sent; `nil` if it can.
    package var fault: String? {
        if !method.withBytes(isToken) { return "the method is not a token" }
        if scheme != "http", scheme != "https" { return "the scheme is not http or https" }
        if !authority.withBytes(isVisible) { return "the authority is empty, or has a space or a control character" }
        if !target.withBytes(isVisible) { return "the target is empty, or has a space or a control character" }
        if !hasForm { return "the target does not begin with a slash" }
        // Names need no check: HTTPFields has only tokens.
        let hasBrokenField = fields.contains { $0.withUnsafeBytesOfValue { hasBreak(UnsafeRawBufferPointer($0)) } }
        if hasBrokenField || acceptEncoding.withBytes(hasBreak) {
            return "a header field has a line break or a zero byte"
        }
        if case .length(let length) = body, length < 0 { return "the length of the body is negative" }
        return nil
    }

    /// Whether the target is a path, an asterisk, or the authority of a CONNECT.
    private var hasForm: Bool { target.utf8.first == UInt8(ascii: "/") || target == "*" || method == "CONNECT" }

    /// Returns whether the transport sets this field, so that the caller's is not sent: `Host`, `Content-Length`,
    /// `Transfer-Encoding`, `Accept-Encoding` and `Connection`.
    package static func isOwn(_ name: HTTPField.Name) -> Bool {
        switch name.rawName.utf8.count {
        case 4: name == hostName
        case 10: name == .connection
        case 14: name == .contentLength
        case 15: name == .acceptEncoding
        case 17: name == .transferEncoding
        default: false
        }
    }

    private static let hostName = HTTPField.Name("Host")
}

extension String {
    /// Passes the UTF-8 of the text to `body`.
    fileprivate func withBytes(_ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

private func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool { !bytes.isEmpty && bytes.allSatisfy(\.isTokenCharacter) }

private func isVisible(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
}

/// Returns whether a value has a zero byte or a line break, with which the line would end. Three searches of the C
/// library are faster than a loop over the bytes.
private func hasBreak(_ value: UnsafeRawBufferPointer) -> Bool {
    guard let start = value.baseAddress else { return false }
    let count = value.count
    return memchr(start, 0, count) != nil || memchr(start, 10, count) != nil || memchr(start, 13, count) != nil
}
