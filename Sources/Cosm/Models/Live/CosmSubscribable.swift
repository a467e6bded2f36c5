/// A model that supports live updates (LibCOSM's `COSMSubscribable`): ``FeedModel`` and ``DatastreamModel``.
///
/// All models of an API share one connection. A lost connection is restored, and missed changes are fetched
/// (Docs/Protocols/Cosm.md §14.4). Updates change the model in place, as fetches do: children keep their identity, and
/// unsaved changes stay.
public protocol CosmSubscribable: CosmModel {
    /// A Boolean value that indicates whether the model has a subscription that the server has confirmed.
    var isSubscribed: Bool { get }

    /// Subscribes to the model's resource and returns once the server has confirmed the subscription. Does nothing if
    /// the model is subscribed.
    ///
    /// The model need not be fetched before. No update arrives until the resource changes on the server, unless the
    /// options request the current state.
    ///
    /// - Parameter options: The updates to deliver beyond the server's pushes.
    /// - Throws: ``IncompleteModel`` before anything is sent if an id is missing; ``CosmError`` if the server rejects
    ///   the subscription or there is no connection in time; `CancellationError`.
    func subscribe(options: SubscriptionOptions) async throws

    /// Ends the subscription and returns once it has ended. Does nothing if the model is not subscribed.
    ///
    /// Releasing a model ends its subscription as well.
    func unsubscribe() async
}

extension CosmSubscribable {
    /// Subscribes to the model's resource with the default options. See ``subscribe(options:)``.
    public func subscribe() async throws { try await subscribe(options: SubscriptionOptions()) }
}
