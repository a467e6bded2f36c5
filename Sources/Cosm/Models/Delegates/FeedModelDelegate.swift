internal import Synchronization

/// What a feed model tells its delegate, always on the main actor.
///
/// A class needs no annotation: conforming makes it the main actor's.
@MainActor
public protocol FeedModelDelegate: AnyObject, Sendable {
    /// The feed was fetched.
    func modelDidFetch(_ feed: FeedModel)
    /// It could not be fetched.
    func modelFailedToFetch(_ feed: FeedModel, error: any Error)
    /// It was saved.
    func modelDidSave(_ feed: FeedModel)
    /// It could not be saved; what was unsaved still is.
    func modelFailedToSave(_ feed: FeedModel, error: any Error)
    /// It was deleted on the server.
    func modelDidDelete(_ feed: FeedModel)
    /// It could not be deleted.
    func modelFailedToDelete(_ feed: FeedModel, error: any Error)
    /// The server confirmed the subscription.
    func modelDidSubscribe(_ feed: FeedModel)
    /// The subscription ended, with an error if it was not ended here.
    func modelDidUnsubscribe(_ feed: FeedModel, error: (any Error)?)
    /// A live update has arrived.
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
    /// Who is told what happens, on the main actor; held weakly.
    public var delegate: (any FeedModelDelegate)? {
        get { core.state.withLock { $0.delegate }?.object as? any FeedModelDelegate }
        set {
            let relay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any FeedModelDelegate).self) { $0.tell($1, of: $2) }
            }
            core.state.withLock { $0.delegate = relay }
        }
    }

    @MainActor
    private func tell(_ delegate: any FeedModelDelegate, of event: ModelEvent) {
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
