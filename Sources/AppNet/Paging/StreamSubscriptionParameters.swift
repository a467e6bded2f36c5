/// Subscribes a user stream to the list that a call answers (§2.14).
public struct StreamSubscriptionParameters: Hashable, Sendable {
    /// The stream's connection.
    public var connectionID: String

    /// A name for the subscription; an earlier one of that name ends. `nil` leaves it to the service.
    public var subscriptionID: String?

    /// A subscription.
    public init(connectionID: String, subscriptionID: String? = nil) {
        self.connectionID = connectionID
        self.subscriptionID = subscriptionID
    }
}
