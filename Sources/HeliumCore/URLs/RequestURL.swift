/// The URL of a request exactly as it is sent: an origin and a request target.
///
/// No later step changes it, so the URL that is signed is the URL that is sent.
public struct RequestURL: Hashable, Sendable {
    /// The origin of the request.
    public let origin: Origin

    /// The request target in origin-form (RFC 9112 §3.2.1): the encoded path, at least `/`, then `?` and the query if
    /// there is one. ASCII only, without a fragment.
    public let target: String

    init(origin: Origin, target: String) {
        self.origin = origin
        self.target = target
    }
}

extension RequestURL {
    /// Returns the URL with one more path segment. `segment` must consist of unreserved characters.
    package func appending(segment: String) -> RequestURL {
        RequestURL(origin: origin, target: target.hasSuffix("/") ? target + segment : target + "/" + segment)
    }
}

extension RequestURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The complete URL with its query values. Do not use it in logs or errors.
    public var absoluteString: String { origin.urlString + target }

    /// The URL for display and logs, with query names kept, and query values and keys in the path masked.
    package var redacted: String {
        let target = SecretPath.masking(target)
        guard let mark = target.firstIndex(of: "?") else { return origin.urlString + target }
        let query = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let masked = query.map { item in
            item.firstIndex(of: "=").map { "\(item[..<$0])=***" } ?? (item.isEmpty ? "" : "***")
        }
        return origin.urlString + target[...mark] + masked.joined(separator: "&")
    }

    /// The redacted form.
    public var description: String { redacted }

    /// The redacted form.
    public var debugDescription: String { redacted }

    /// A mirror with the redacted form only.
    public var customMirror: Mirror { Mirror(self, children: ["url": redacted]) }
}

/// The error of a text that is not a URL to which a request can be sent.
public struct InvalidURL: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence that names the invalid part. It never contains a user name, password or query.
    public let description: String

    package init(_ description: String) { self.description = description }
}
