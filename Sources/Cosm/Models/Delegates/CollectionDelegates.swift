internal import Synchronization

/// The receiver of the events of a ``FeedCollection``. Its methods are called on the main actor.
///
/// A class that conforms to it is isolated to the main actor without an annotation.
@MainActor
public protocol FeedCollectionDelegate: AnyObject, Sendable {
    /// Called after the list was fetched.
    func feedCollectionDidFetch(_ collection: FeedCollection)
    /// Called after fetching the list failed.
    func feedCollectionFailedToFetch(_ collection: FeedCollection, error: any Error)
}

extension FeedCollectionDelegate {
    /// Does nothing.
    public func feedCollectionDidFetch(_ collection: FeedCollection) {}
    /// Does nothing.
    public func feedCollectionFailedToFetch(_ collection: FeedCollection, error: any Error) {}
}

extension FeedCollection {
    /// The delegate, which is called on the main actor and held weakly.
    public var delegate: (any FeedCollectionDelegate)? {
        get { delegateRelay?.object as? any FeedCollectionDelegate }
        set {
            delegateRelay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any FeedCollectionDelegate).self) {
                    switch ($2.kind, $2.error) {
                    case (.fetched, _): $1.feedCollectionDidFetch($0)
                    case (.fetchFailed, let error?): $1.feedCollectionFailedToFetch($0, error: error)
                    default: break
                    }
                }
            }
        }
    }
}

/// The receiver of the events of a ``DatapointCollection``. Its methods are called on the main actor.
///
/// A class that conforms to it is isolated to the main actor without an annotation.
@MainActor
public protocol DatapointCollectionDelegate: AnyObject, Sendable {
    /// Called after all new and changed datapoints were saved.
    func datapointCollectionDidSaveAll(_ collection: DatapointCollection)
    /// Called after saving failed. The points that were not saved remain unsaved.
    func datapointCollectionFailedToSaveAll(_ collection: DatapointCollection, error: any Error)
}

extension DatapointCollectionDelegate {
    /// Does nothing.
    public func datapointCollectionDidSaveAll(_ collection: DatapointCollection) {}
    /// Does nothing.
    public func datapointCollectionFailedToSaveAll(_ collection: DatapointCollection, error: any Error) {}
}

extension DatapointCollection {
    /// The delegate, which is called on the main actor and held weakly.
    public var delegate: (any DatapointCollectionDelegate)? {
        get { delegateRelay?.object as? any DatapointCollectionDelegate }
        set {
            delegateRelay = newValue.map {
                DelegateRelay(from: self, events, to: $0, as: (any DatapointCollectionDelegate).self) {
                    switch ($2.kind, $2.error) {
                    case (.saved, _): $1.datapointCollectionDidSaveAll($0)
                    case (.saveFailed, let error?): $1.datapointCollectionFailedToSaveAll($0, error: error)
                    default: break
                    }
                }
            }
        }
    }
}
