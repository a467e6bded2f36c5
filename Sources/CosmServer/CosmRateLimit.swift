internal import HeliumServerKit

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

extension CosmRateLimit {
    /// The limit on a key's requests.
    var ofKeys: ServerRateLimit { ServerRateLimit(requests: requests, minutes: minutes) }

    /// Checks the limit.
    ///
    /// - Throws: ``EmbeddedServerError`` for values that no server can count with.
    func validate() throws(EmbeddedServerError) {
        try ofKeys.validate()
        try ConfigurationCheck.require(
            (1...86_400).contains(secondsBetweenUpdates ?? 1),
            "a rate limit allows at least one update a day"
        )
    }
}
