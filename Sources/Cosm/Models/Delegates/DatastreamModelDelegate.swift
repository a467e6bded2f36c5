internal import Synchronization

/// What a datastream model tells its delegate, always on the main actor.
///
/// A class needs no annotation: conforming makes it the main actor's.
@MainActor
public protocol DatastreamModelDelegate: AnyObject, Sendable {
    /// The datastream was fetched.
    func modelDidFetch(_ datastream: DatastreamModel)
    /// It could not be fetched.
    func modelFailedToFetch(_ datastream: DatastreamModel, error: any Error)
    /// It was saved.
    func modelDidSave(_ datastream: DatastreamModel)
    /// It could not be saved; what was unsaved still is.
    func modelFailedToSave(_ datastream: DatastreamModel, error: any Error)
    /// It was deleted on the server.
    func modelDidDelete(_ datastream: DatastreamModel)
    /// It could not be deleted.
    func modelFailedToDelete(_ datastream: DatastreamModel, error: any Error)
    /// The server confirmed the subscription.
    func modelDidSubscribe(_ datastream: DatastreamModel)
    /// The subscription ended, with an error if it was not ended here.
    func modelDidUnsubscribe(_ datastream: DatastreamModel, error: (any Error)?)
    /// A live update has arrived.
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
    /// Who is told what happens, on the main actor; held weakly.
    public var delegate: (any DatastreamModelDelegate)? {
        get { core.state.withLock { $0.delegate }?.object as? any DatastreamModelDelegate }
        set {
            let relay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any DatastreamModelDelegate).self) {
                    $0.tell($1, of: $2)
                }
            }
            core.state.withLock { $0.delegate = relay }
        }
    }

    @MainActor
    private func tell(_ delegate: any DatastreamModelDelegate, of event: ModelEvent) {
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
