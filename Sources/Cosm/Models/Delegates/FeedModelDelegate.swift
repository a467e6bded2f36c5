internal import Synchronization

/// The receiver of the events of a ``FeedModel``. Its methods are called on the main actor.
///
/// A class that conforms to it is isolated to the main actor without an annotation.
@MainActor
public protocol FeedModelDelegate: AnyObject, Sendable {
    /// Called after the feed was fetched.
    func modelDidFetch(_ feed: FeedModel)
    /// Called after fetching the feed failed.
    func modelFailedToFetch(_ feed: FeedModel, error: any Error)
    /// Called after the feed was saved.
    func modelDidSave(_ feed: FeedModel)
    /// Called after saving the feed failed. Its changes remain unsaved.
    func modelFailedToSave(_ feed: FeedModel, error: any Error)
    /// Called after the feed was deleted on the server.
    func modelDidDelete(_ feed: FeedModel)
    /// Called after deleting the feed failed.
    func modelFailedToDelete(_ feed: FeedModel, error: any Error)
    /// Called after the server confirmed the subscription.
    func modelDidSubscribe(_ feed: FeedModel)
    /// Called after the subscription ended. The error is `nil` if this side ended it.
    func modelDidUnsubscribe(_ feed: FeedModel, error: (any Error)?)
    /// Called after a live update has arrived.
    func modelUpdatedViaSubscription(_ feed: FeedModel, changes: ModelChanges)
}

extension FeedModelDelegate {
    /// Does nothing.
    public func modelDidFetch(_ feed: FeedModel) {}
    /// Does nothing.
    public func modelFailedToFetch(_ feed: FeedModel, error: any Error) {}
    /// Does nothing.
    public func modelDidSave(_ feed: FeedModel) {}
    /// Does nothing.
    public func modelFailedToSave(_ feed: FeedModel, error: any Error) {}
    /// Does nothing.
    public func modelDidDelete(_ feed: FeedModel) {}
    /// Does nothing.
    public func modelFailedToDelete(_ feed: FeedModel, error: any Error) {}
    /// Does nothing.
    public func modelDidSubscribe(_ feed: FeedModel) {}
    /// Does nothing.
    public func modelDidUnsubscribe(_ feed: FeedModel, error: (any Error)?) {}
    /// Does nothing.
    public func modelUpdatedViaSubscription(_ feed: FeedModel, changes: ModelChanges) {}
}

extension FeedModel {
    /// The delegate, which is called on the main actor and held weakly.
    public var delegate: (any FeedModelDelegate)? {
        get { core.state.withLock { $0.delegate }?.object as? any FeedModelDelegate }
        set {
            let relay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any FeedModelDelegate).self) { $0.notify($1, of: $2) }
            }
            core.state.withLock { $0.delegate = relay }
        }
    }

    @MainActor
    private func notify(_ delegate: any FeedModelDelegate, of event: ModelEvent) {
        switch (event.kind, event.error) {
        case (.fetched, _): delegate.modelDidFetch(self)
        case (.fetchFailed, let error?): delegate.modelFailedToFetch(self, error: error)
        case (.saved, _): delegate.modelDidSave(self)
        case (.saveFailed, let error?): delegate.modelFailedToSave(self, error: error)
        case (.deleted, _): delegate.modelDidDelete(self)
        case (.deleteFailed, let error?): delegate.modelFailedToDelete(self, error: error)
        case (.subscribed, _): delegate.modelDidSubscribe(self)
        case (.unsubscribed, let error): delegate.modelDidUnsubscribe(self, error: error)
        case (.updated, _): delegate.modelUpdatedViaSubscription(self, changes: event.changes)
        default: break
        }
    }
}
