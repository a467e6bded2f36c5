internal import HeliumServerKit

/// Ceilings on what Cosm keeps and on what clients may hold open. A write beyond one is answered with 403 and changes
/// nothing.
public struct CosmMaxima: Hashable, Sendable {
    /// Feeds of all accounts together. Default: 10,000.
    public var feeds = 10_000
    /// Datastreams of one feed. Default: 1,000.
    public var datastreams = 1_000
    /// Datapoints of one datastream. Default: 10,000,000.
    public var datapoints = 10_000_000
    /// Waypoints of one mobile feed; beyond it the oldest are forgotten. Default: 10,000.
    public var waypoints = 10_000
    /// Keys of all accounts together. Default: 1,000.
    public var keys = 1_000
    /// Triggers of all accounts together. Default: 1,000.
    public var triggers = 1_000
    /// Accounts. Default: 1,000.
    public var users = 1_000
    /// Open live connections that have sent a known key, WebSocket and TCP together. A further one is answered with status
    /// 503 and closed. Default: 1,024.
    public var liveConnections = 1_024
    /// Open live connections that have not sent a known key. A further one takes the place of the oldest, and each is closed
    /// after `ServerLimits.firstRequest`. Default: 256.
    public var unauthenticatedLiveConnections = 256
    /// Subscriptions of one live connection. Default: 1,000.
    public var subscriptions = 1_000
    /// Bytes that may wait for a slow live client before its connection is closed. Default: 4,194,304 (4 MiB).
    public var liveQueueBytes = 4 * 1024 * 1024
    /// The longest object or message that a live client may send, in bytes. A longer object over TCP is answered with
    /// status 400 and the connection is closed (§14.1); a longer message ends a WebSocket with code 1009. Default:
    /// 1,048,576 (1 MiB).
    public var liveObjectBytes = 1024 * 1024
    /// Notifications of triggers that wait to be sent; further ones are dropped. Default: 1,000.
    public var notifications = 1_000
    /// The work of one search of feeds: the bytes of the texts that it looks at, times the words of `q` (at least one). A
    /// search that would take more is refused with 400. Default: 268,435,456.
    public var searchedBytes = 256 * 1024 * 1024

    /// The defaults named at each property.
    public init() {}

    func validate() throws(EmbeddedServerError) {
        let counts = [
            ("feeds", feeds), ("datastreams", datastreams), ("datapoints", datapoints), ("waypoints", waypoints),
            ("keys", keys), ("triggers", triggers), ("users", users), ("liveConnections", liveConnections),
            ("unauthenticatedLiveConnections", unauthenticatedLiveConnections),
            ("subscriptions", subscriptions), ("liveQueueBytes", liveQueueBytes), ("liveObjectBytes", liveObjectBytes),
            ("notifications", notifications), ("searchedBytes", searchedBytes),
        ]
        try ConfigurationCheck.requirePositive(counts)
    }
}
