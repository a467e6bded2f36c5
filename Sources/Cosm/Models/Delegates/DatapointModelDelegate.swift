internal import Synchronization

/// What a datapoint model tells its delegate, always on the main actor.
///
/// A class needs no annotation: conforming makes it the main actor's.
@MainActor
public protocol DatapointModelDelegate: AnyObject, Sendable {
    /// The datapoint was fetched.
    func modelDidFetch(_ datapoint: DatapointModel)
    /// It could not be fetched.
    func modelFailedToFetch(_ datapoint: DatapointModel, error: any Error)
    /// It was saved.
    func modelDidSave(_ datapoint: DatapointModel)
    /// It could not be saved; what was unsaved still is.
    func modelFailedToSave(_ datapoint: DatapointModel, error: any Error)
    /// It was deleted on the server.
    func modelDidDelete(_ datapoint: DatapointModel)
    /// It could not be deleted.
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
    /// Who is told what happens, on the main actor; held weakly.
    public var delegate: (any DatapointModelDelegate)? {
        get { core.state.withLock { $0.delegate }?.object as? any DatapointModelDelegate }
        set {
            let relay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any DatapointModelDelegate).self) { $0.tell($1, of: $2) }
            }
            core.state.withLock { $0.delegate = relay }
        }
    }

    @MainActor
    private func tell(_ delegate: any DatapointModelDelegate, of event: ModelEvent) {
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
