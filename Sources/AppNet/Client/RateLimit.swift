internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumCore

/// The rate limit that a response reports (Docs/Protocols/AppNet.md §1.7). If several limits apply, it is the most
/// restrictive.
public struct RateLimit: Hashable, Sendable {
    /// The number of calls that a period allows.
    public let limit: Int?

    /// The number of calls left in the period.
    public let remaining: Int?

    /// The time until the full number of calls is available again.
    public let reset: Duration?

    /// The delay that the service requests before the next call. Only set for a 429.
    public let retryAfter: Duration?

    /// Creates a rate limit.
    package init(limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil, retryAfter: Duration? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.retryAfter = retryAfter
    }
}

extension RateLimit {
    /// Reads the rate limit from the fields of a response. Returns `nil` if there are none.
    ///
    /// - Parameter retryIn: `meta.retry_in` of pnut.io, in seconds.
    init?(_ head: ResponseHead, retryIn: Duration? = nil) {
        self.init(
            limit: head[.rateLimitLimit].flatMap { Int($0) },
            remaining: head[.rateLimitRemaining].flatMap { Int($0) },
            reset: head[.rateLimitReset].flatMap(Self.seconds),
            retryAfter: head[.retryAfter].flatMap(Self.seconds) ?? retryIn
        )
        if limit == nil, remaining == nil, reset == nil, retryAfter == nil { return nil }
    }

    /// Parses whole seconds. Values above one century are cut to a century.
    static func seconds(_ text: String) -> Duration? {
        guard let number = UInt64(text) else { return nil }
        return Duration.seconds(Int64(clamping: number)).withinCentury
    }
}

extension HTTPField.Name {
    fileprivate static let rateLimitLimit = Self(constant: "X-RateLimit-Limit")
    fileprivate static let rateLimitRemaining = Self(constant: "X-RateLimit-Remaining")
    fileprivate static let rateLimitReset = Self(constant: "X-RateLimit-Reset")
}
