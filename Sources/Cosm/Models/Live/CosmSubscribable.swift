/// A model that the live socket can keep up to date (LibCOSM's `COSMSubscribable`): ``FeedModel`` and ``DatastreamModel``.
///
/// All models of an API share one connection. After it was lost it is restored, and what was missed meanwhile is fetched
/// (§14.4). Updates change the model in place, as fetches do: children stay the same objects, and unsaved changes stay.
public protocol CosmSubscribable: CosmModel {
    /// A Boolean value that indicates whether the server has confirmed a subscription that has not ended.
    var isSubscribed: Bool { get }

    /// Subscribes to the model's resource, and returns when the server has confirmed. Does nothing if the model is subscribed.
    ///
    /// The model need not be fetched before. Nothing arrives until something changes on the server, unless the options ask
    /// for the current state.
    ///
    /// - Parameter options: The updates to deliver besides the server's pushes.
    /// - Throws: ``IncompleteModel``, if an id is missing, before anything is sent; ``CosmError`` if the server refuses or
    ///   there is no connection in time; `CancellationError`.
    func subscribe(options: SubscriptionOptions) async throws

    /// Ends the subscription, and returns when it has ended. Does nothing if the model is not subscribed.
    ///
    /// A model that is released is unsubscribed too.
    func unsubscribe() async
}

extension CosmSubscribable {
    /// Subscribes to the model's resource with the default options: see ``subscribe(options:)``.
    public func subscribe() async throws { try await subscribe(options: SubscriptionOptions()) }
}

/// The earlier name of ``CosmSubscribable``.
@available(*, deprecated, renamed: "CosmSubscribable")
public typealias SubscribableModel = CosmSubscribable
