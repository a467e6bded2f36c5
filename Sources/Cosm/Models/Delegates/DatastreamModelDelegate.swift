internal import Synchronization

/// The receiver of the events of a ``DatastreamModel``. Its methods are called on the main actor.
///
/// A class that conforms to it is isolated to the main actor without an annotation.
@MainActor
public protocol DatastreamModelDelegate: AnyObject, Sendable {
    /// Called after the datastream was fetched.
    func modelDidFetch(_ datastream: DatastreamModel)
    /// Called after fetching the datastream failed.
    func modelFailedToFetch(_ datastream: DatastreamModel, error: any Error)
    /// Called after the datastream was saved.
    func modelDidSave(_ datastream: DatastreamModel)
    /// Called after saving the datastream failed. Its changes remain unsaved.
    func modelFailedToSave(_ datastream: DatastreamModel, error: any Error)
    /// Called after the datastream was deleted on the server.
    func modelDidDelete(_ datastream: DatastreamModel)
    /// Called after deleting the datastream failed.
    func modelFailedToDelete(_ datastream: DatastreamModel, error: any Error)
    /// Called after the server confirmed the subscription.
    func modelDidSubscribe(_ datastream: DatastreamModel)
    /// Called after the subscription ended. The error is `nil` if this side ended it.
    func modelDidUnsubscribe(_ datastream: DatastreamModel, error: (any Error)?)
    /// Called after a live update has arrived.
    func modelUpdatedViaSubscription(_ datastream: DatastreamModel, changes: ModelChanges)
}

extension DatastreamModelDelegate {
    /// Does nothing.
    public func modelDidFetch(_ datastream: DatastreamModel) {}
    /// Does nothing.
    public func modelFailedToFetch(_ datastream: DatastreamModel, error: any Error) {}
    /// Does nothing.
    public func modelDidSave(_ datastream: DatastreamModel) {}
    /// Does nothing.
    public func modelFailedToSave(_ datastream: DatastreamModel, error: any Error) {}
    /// Does nothing.
    public func modelDidDelete(_ datastream: DatastreamModel) {}
    /// Does nothing.
    public func modelFailedToDelete(_ datastream: DatastreamModel, error: any Error) {}
    /// Does nothing.
    public func modelDidSubscribe(_ datastream: DatastreamModel) {}
    /// Does nothing.
    public func modelDidUnsubscribe(_ datastream: DatastreamModel, error: (any Error)?) {}
    /// Does nothing.
    public func modelUpdatedViaSubscription(_ datastream: DatastreamModel, changes: ModelChanges) {}
}

extension DatastreamModel {
    /// The delegate, which is called on the main actor and held weakly.
    public var delegate: (any DatastreamModelDelegate)? {
        get { core.state.withLock { $0.delegate }?.object as? any DatastreamModelDelegate }
        set {
            let relay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any DatastreamModelDelegate).self) {
                    $0.notify($1, of: $2)
                }
            }
            core.state.withLock { $0.delegate = relay }
        }
    }

    @MainActor
    private func notify(_ delegate: any DatastreamModelDelegate, of event: ModelEvent) {
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
