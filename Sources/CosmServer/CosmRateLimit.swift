internal import HeliumServerKit

/// The limits on the requests of a key and on the writes to a feed (Docs/Protocols/Cosm.md §2.5). Requests beyond them
/// fail with 403.
public struct CosmRateLimit: Hashable, Sendable {
    /// The maximum number of requests of a key in a window, at least 1. Default: 50.
    public var requests: Int
    /// The length of a window in minutes, 1 to 1440. Windows start at multiples of it since 1970. Default: 3.
    public var minutes: Int
    /// The minimum number of seconds between two writes to a feed; `nil` for no such limit. Default: `nil`.
    public var secondsBetweenUpdates: Int?

    /// Creates a rate limit. The documented limit of the service is 50 requests in 3 minutes, and 5 seconds between
    /// updates.
    public init(requests: Int = 50, minutes: Int = 3, secondsBetweenUpdates: Int? = nil) {
        self.requests = requests
        self.minutes = minutes
        self.secondsBetweenUpdates = secondsBetweenUpdates
    }
}

extension CosmRateLimit {
    /// The limit on the requests of a key.
    var ofKeys: ServerRateLimit { ServerRateLimit(requests: requests, minutes: minutes) }

    /// Validates the limit.
    ///
    /// - Throws: ``EmbeddedServerError`` for values out of range.
    func validate() throws(EmbeddedServerError) {
        try ofKeys.validate()
        try ConfigurationCheck.require(
            (1...86_400).contains(secondsBetweenUpdates ?? 1),
            "a rate limit must allow at least one update a day"
        )
    }
}
