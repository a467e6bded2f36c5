internal import Synchronization

/// The receiver of the events of a ``DatapointModel``. Its methods are called on the main actor.
///
/// A class that conforms to it is isolated to the main actor without an annotation.
@MainActor
public protocol DatapointModelDelegate: AnyObject, Sendable {
    /// Called after the datapoint was fetched.
    func modelDidFetch(_ datapoint: DatapointModel)
    /// Called after fetching the datapoint failed.
    func modelFailedToFetch(_ datapoint: DatapointModel, error: any Error)
    /// Called after the datapoint was saved.
    func modelDidSave(_ datapoint: DatapointModel)
    /// Called after saving the datapoint failed. Its changes remain unsaved.
    func modelFailedToSave(_ datapoint: DatapointModel, error: any Error)
    /// Called after the datapoint was deleted on the server.
    func modelDidDelete(_ datapoint: DatapointModel)
    /// Called after deleting the datapoint failed.
    func modelFailedToDelete(_ datapoint: DatapointModel, error: any Error)
}

extension DatapointModelDelegate {
    /// Does nothing.
    public func modelDidFetch(_ datapoint: DatapointModel) {}
    /// Does nothing.
    public func modelFailedToFetch(_ datapoint: DatapointModel, error: any Error) {}
    /// Does nothing.
    public func modelDidSave(_ datapoint: DatapointModel) {}
    /// Does nothing.
    public func modelFailedToSave(_ datapoint: DatapointModel, error: any Error) {}
    /// Does nothing.
    public func modelDidDelete(_ datapoint: DatapointModel) {}
    /// Does nothing.
    public func modelFailedToDelete(_ datapoint: DatapointModel, error: any Error) {}
}

extension DatapointModel {
    /// The delegate, which is called on the main actor and held weakly.
    public var delegate: (any DatapointModelDelegate)? {
        get { core.state.withLock { $0.delegate }?.object as? any DatapointModelDelegate }
        set {
            let relay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any DatapointModelDelegate).self) {
                    $0.notify($1, of: $2)
                }
            }
            core.state.withLock { $0.delegate = relay }
        }
    }

    @MainActor
    private func notify(_ delegate: any DatapointModelDelegate, of event: ModelEvent) {
        switch (event.kind, event.error) {
        case (.fetched, _): delegate.modelDidFetch(self)
        case (.fetchFailed, let error?): delegate.modelFailedToFetch(self, error: error)
        case (.saved, _): delegate.modelDidSave(self)
        case (.saveFailed, let error?): delegate.modelFailedToSave(self, error: error)
        case (.deleted, _): delegate.modelDidDelete(self)
        case (.deleteFailed, let error?): delegate.modelFailedToDelete(self, error: error)
        default: break
        }
    }
}
