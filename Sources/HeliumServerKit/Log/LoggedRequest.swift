/// One request of a ``RequestLog``. It holds no header, no query, no body and no device id.
public struct LoggedRequest: Hashable, Sendable {
    /// The method of the request line.
    public let method: String
    /// The path as encoded, every segment that looks like a device id or a key (32 hexadecimal characters) replaced
    /// by `:id`, and what follows `keys` by `:key`.
    public let path: String
    /// The status of the answer.
    public let status: Int

    init(method: String, path: Substring, status: Int) {
        self.method = method
        self.path = KeyMask.segments(of: path).map { segment in
            segment.utf8.count == 32 && segment.allSatisfy(\.isHexDigit) ? ":id" : String(segment)
        }
        .joined(separator: "/")
        self.status = status
    }
}

extension LoggedRequest: CustomStringConvertible {
    /// Method, path and status: `GET /v2/feeds/504 200`.
    public var description: String { "\(method) \(path) \(status)" }
}
