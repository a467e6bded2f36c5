internal import HTTPTypes
internal import HeliumCore

/// How many calls are left, as an answer told (§1.7): of several limits the tightest.
public struct RateLimit: Hashable, Sendable {
    /// The calls that the period allows.
    public let limit: Int?

    /// The calls that are left of it.
    public let remaining: Int?

    /// How long until all are there again.
    public let reset: Duration?

    /// How long the service asks to wait before the next call; on a 429 only.
    public let retryAfter: Duration?

    /// A rate limit.
    public init(limit: Int? = nil, remaining: Int? = nil, reset: Duration? = nil, retryAfter: Duration? = nil) {
        self.limit = limit
        self.remaining = remaining
        self.reset = reset
        self.retryAfter = retryAfter
    }
}

extension RateLimit {
    /// What an answer's fields tell; `nil` if they tell nothing.
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

    /// Whole seconds, up to a century: a longer wait is all the same.
    static func seconds(_ text: String) -> Duration? {
        guard let number = UInt64(text) else { return nil }
        return .seconds(min(number, 100 * 366 * 86_400))
    }
}

extension HTTPField.Name {
    fileprivate static let rateLimitLimit = Self(constant: "X-RateLimit-Limit")
    fileprivate static let rateLimitRemaining = Self(constant: "X-RateLimit-Remaining")
    fileprivate static let rateLimitReset = Self(constant: "X-RateLimit-Reset")
}
