/// How a user stream's subscription is kept.
public struct StreamSubscriptionOptions: Hashable, Sendable {
    /// Its name with the service; an earlier one of that name on the same stream ends. Default: `nil`, a random one.
    public var subscriptionID: String?

    /// How many items ``StreamSubscription/initial`` has at most, 1 to 200. Default: `nil`, the service's 20.
    public var initialCount: Int?

    /// The most updates that wait for the consumer; one more ends the subscription with
    /// ``AppNetError/Kind/consumerTooSlow``. While the list is read again, as many events wait besides. Default: 1,000.
    public var bufferLimit = 1_000

    /// How many of the last items are remembered, so that none comes twice. Default: 4,096.
    public var memory = 4_096

    /// The defaults.
    public init() {}
}
