/// A model that can be kept up to date by the live socket (LibCOSM's `COSMSubscribable`).
///
/// All models of an API share one connection, which is restored when it breaks; what was missed meanwhile is fetched (§14.4).
/// Updates change the model in place, as fetches do: children stay the same objects, unsaved changes stay.
public protocol SubscribableModel: CosmModel {
    /// Whether the server has confirmed a subscription that is not ended yet.
    var isSubscribed: Bool { get }

    /// Asks for live updates, and returns when the server has confirmed. Without effect on a model that is subscribed.
    ///
    /// Fetching before is not needed, but nothing comes until something changes on the server, unless the options ask for the
    /// present state.
    ///
    /// - Parameter options: What is told besides what the server pushes.
    /// - Throws: ``IncompleteModel``, if an id is missing, before anything is sent; what the live socket throws.
    func subscribe(options: SubscriptionOptions) async throws

    /// Ends the live updates, and returns when they have ended. Without effect on a model that is not subscribed.
    ///
    /// A model that is no longer held by anybody is unsubscribed by that.
    func unsubscribe() async
}

extension SubscribableModel {
    /// Asks for live updates: see ``subscribe(options:)``.
    public func subscribe() async throws { try await subscribe(options: SubscriptionOptions()) }
}
