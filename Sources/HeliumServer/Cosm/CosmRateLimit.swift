/// How often one key may ask, and how often one feed may be written to (§2.5). What is more is answered with 403.
public struct CosmRateLimit: Hashable, Sendable {
    /// The requests that one key may make in a window; at least 1. Default: 50.
    public var requests: Int
    /// The window's length in minutes, 1 to 1440; windows start at multiples of it since 1970. Default: 3.
    public var minutes: Int
    /// The fewest seconds between two writes to one feed; nil: no such limit. Default: nil.
    public var secondsBetweenUpdates: Int?

    /// The service's documented limit is 50 requests in 3 minutes, and 5 seconds between updates.
    public init(requests: Int = 50, minutes: Int = 3, secondsBetweenUpdates: Int? = nil) {
        self.requests = requests
        self.minutes = minutes
        self.secondsBetweenUpdates = secondsBetweenUpdates
    }
}
