/// The URL of a request exactly as it goes over the wire: an origin and a request target.
///
/// Nothing below the builder rewrites it: what is signed is what is sent.
public struct RequestURL: Hashable, Sendable {
    /// Where the request goes.
    public let origin: Origin

    /// The request target in origin-form (RFC 9112 section 3.2.1): the encoded path, at least `/`, then `?` and the
    /// query if there is one. ASCII only, no fragment.
    public let target: String

    init(origin: Origin, target: String) {
        self.origin = origin
        self.target = target
    }
}

extension RequestURL {
    /// The URL one segment further down; `segment` must be made of unreserved characters.
    package func appending(segment: String) -> RequestURL {
        RequestURL(origin: origin, target: target.hasSuffix("/") ? target + segment : target + "/" + segment)
    }
}

extension RequestURL: CustomStringConvertible, CustomDebugStringConvertible {
    /// The whole URL with query values in clear: for the wire, never for logs or errors.
    public var absoluteString: String { origin.urlString + target }

    /// The URL for people and logs: query names stay, query values are masked.
    public var redacted: String {
        guard let mark = target.firstIndex(of: "?") else { return absoluteString }
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
}

/// Why a text is no URL that a request can be sent to.
public struct InvalidURL: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people; it names the part at fault and never a user name, password or query.
    public let description: String

    package init(_ description: String) { self.description = description }
}
