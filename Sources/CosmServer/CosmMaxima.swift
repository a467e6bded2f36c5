internal import HeliumServerKit

/// The limits on stored data and open connections. A write that exceeds one fails with 403 and changes nothing.
public struct CosmMaxima: Hashable, Sendable {
    /// The maximum number of feeds of all accounts. Default: 40,000.
    public var feeds = 40_000
    /// The maximum number of feeds of an account, so that no account can fill the server for the others. Default:
    /// 10,000.
    public var feedsPerUser = 10_000
    /// The maximum number of datastreams of a feed. Default: 1,000.
    public var datastreams = 1_000
    /// The maximum number of datapoints of a datastream. Default: 10,000,000.
    public var datapoints = 10_000_000
    /// The maximum number of waypoints of a mobile feed. Beyond it the oldest are deleted. Default: 10,000.
    public var waypoints = 10_000
    /// The maximum number of keys of all accounts. A new account gets its key also beyond it. Default: 1,000.
    ///
    /// One write can need the keys of all accounts, for live subscriptions and triggers, so a larger number makes the
    /// slowest write slower.
    public var keys = 1_000
    /// The maximum number of keys of an account. Default: 250.
    public var keysPerUser = 250
    /// The maximum number of triggers of all accounts. Default: 1,000.
    ///
    /// All of them can be on the same public datastream, and are evaluated in each write to it.
    public var triggers = 1_000
    /// The maximum number of triggers of an account. Default: 250.
    public var triggersPerUser = 250
    /// The maximum number of accounts. Default: 1,000.
    public var users = 1_000
    /// The maximum number of open live connections that have sent a known key, WebSocket and TCP together. A further
    /// connection gets status 503 and is closed. Default: 1,024.
    public var liveConnections = 1_024
    /// The maximum number of open live connections that have not sent a known key. A further connection replaces the
    /// oldest one, and each is closed after `ServerLimits.firstRequest`. Default: 256.
    public var unauthenticatedLiveConnections = 256
    /// The maximum number of subscriptions of a live connection. Default: 1,000.
    public var subscriptions = 1_000
    /// The maximum number of bytes queued for a slow live client. Beyond it the connection is closed. Default:
    /// 4,194,304 (4 MiB).
    public var liveQueueBytes = 4 * 1024 * 1024
    /// The maximum length of an object or message of a live client, in bytes. A longer object over TCP gets status 400,
    /// and the connection is closed (Docs/Protocols/Cosm.md §14.1). A longer message closes a WebSocket with code 1009.
    /// Default: 1,048,576 (1 MiB).
    public var liveObjectBytes = 1024 * 1024
    /// The maximum number of queued trigger notifications. Further ones are dropped. Default: 1,000.
    public var notifications = 1_000
    /// The maximum work of one search of feeds: the number of bytes of the searched texts, times the number of words of
    /// `q` (at least one), and the other bytes of the feeds and datastreams that are read for it. Each of these counts for
    /// at least 64 bytes. A search beyond it fails with 400. Default: 268,435,456.
    public var searchedBytes = 256 * 1024 * 1024
    /// The maximum size of the documents in a response, in bytes. Larger feeds of a list are abbreviated, so that the list
    /// does not exceed it (Docs/Protocols/Cosm.md §2.7), and so are larger keys and users of theirs. Other reads that exceed it fail with 400. Default: 8,388,608
    /// (8 MiB).
    public var answerBytes = 8 * 1024 * 1024

    /// Creates limits with the default values.
    public init() {}

    func validate() throws(EmbeddedServerError) {
        let counts = [
            ("feeds", feeds), ("feedsPerUser", feedsPerUser), ("keysPerUser", keysPerUser),
            ("triggersPerUser", triggersPerUser), ("datastreams", datastreams), ("datapoints", datapoints),
            ("waypoints", waypoints),
            ("keys", keys), ("triggers", triggers), ("users", users), ("liveConnections", liveConnections),
            ("unauthenticatedLiveConnections", unauthenticatedLiveConnections),
            ("subscriptions", subscriptions), ("liveQueueBytes", liveQueueBytes), ("liveObjectBytes", liveObjectBytes),
            ("notifications", notifications), ("searchedBytes", searchedBytes), ("answerBytes", answerBytes),
        ]
        try ConfigurationCheck.requirePositive(counts)
    }
}
