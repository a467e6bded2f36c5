/// What a subscription tells besides what the server pushes.
public struct SubscriptionOptions: Hashable, Sendable {
    /// Whether the first update is the document as it is when the subscription begins. Default: no; the server tells nothing
    /// before the next change (§14.3).
    public var startsWithCurrentState = false

    /// Whether the datapoints of a time without a connection are read from the history and told in their order, before the
    /// present state. Default: no; then only the present state is told.
    public var fillsGapsFromHistory = false

    /// The most datapoints that are read so for one outage. Default: 10,000. Beyond it the next update says that it follows
    /// a gap.
    public var maximumHistoryPoints = 10_000

    /// How many updates wait for a slow consumer. Default: 256. With more, the oldest is dropped, and the next one says that
    /// it follows a gap: the newest state always arrives.
    public var bufferLimit = 256

    /// The defaults.
    public init() {}
}
