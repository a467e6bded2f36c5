/// A number of requests that one address may make in a window of time (§5.6).
public struct MiddlewareRateLimit: Hashable, Sendable {
    /// The requests allowed in one window; at least 1.
    public var requests: Int
    /// The window's length in minutes; at least 1. Windows start at multiples of it since 1970.
    public var minutes: Int

    /// At most `requests` in every window of `minutes`.
    public init(requests: Int, minutes: Int) {
        self.requests = requests
        self.minutes = minutes
    }
}
