package import HTTPTypes
import HeliumEssentials

/// The head of a request as both protocols write it. The caller's thread composes and validates it.
///
/// It is not copyable, because a copy would retain all of its texts.
package struct RequestHead: ~Copyable, Sendable {
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
        if acceptEncoding.withBytes(hasBreak) || hasBrokenField {
            return "a header field has a line break or a zero byte"
        }
        if case .length(let length) = body, length < 0 { return "the length of the body is negative" }
        return nil
    }

    /// Whether the target is a path, an asterisk, or the authority of a CONNECT.
    private var hasForm: Bool { target.utf8.first == UInt8(ascii: "/") || target == "*" || method == "CONNECT" }

    /// Whether a line would end within a value. Names need no check: HTTPFields has only tokens.
    private var hasBrokenField: Bool {
        for index in fields.indices
        where fields[index].withUnsafeBytesOfValue({ hasBreak(UnsafeRawBufferPointer($0)) }) {
            return true
        }
        return false
    }

    /// Returns whether the transport sets this field, so that the caller's is not sent: `Host`, `Content-Length`,
    /// `Transfer-Encoding`, `Accept-Encoding` and `Connection`.
    @inline(never)
    package static func isOwn(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName.utf8.count {
        case 4: name.isEqual(to: "host")
        case 10: name.isEqual(to: "connection")
        case 14: name.isEqual(to: "content-length")
        case 15: name.isEqual(to: "accept-encoding")
        case 17: name.isEqual(to: "transfer-encoding")
        default: false
        }
    }
}

extension HTTPFields {
    /// Returns whether the transport sets the field at an index.
    @inline(__always)
    func isOwn(at index: Int) -> Bool {
        // The length decides for most fields.
        switch self[index].name.canonicalName.utf8.count {
        case 4, 10, 14, 15, 17: RequestHead.isOwn(self[index].name)
        default: false
        }
    }
}

extension HTTPField.Name {
    /// Returns whether this is the name, which must be in lower case.
    func isEqual(to name: StaticString) -> Bool {
        canonicalName.withBytes { $0.count == name.utf8CodeUnitCount && $0.agrees(with: name) }
    }
}

private func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isEmpty && bytes.endOfToken(from: 0) == bytes.count
}

private func isVisible(_ bytes: UnsafeRawBufferPointer) -> Bool {
    !bytes.isEmpty && !bytes.contains(\.invisible) { $0 <= 0x20 || $0 == 0x7F }
}

/// Returns whether a value has a zero byte or a line break, with which the line would end.
@inline(__always)
private func hasBreak(_ value: UnsafeRawBufferPointer) -> Bool {
    value.contains(\.controls) { $0 == 0 || $0 == 10 || $0 == 13 }
}
