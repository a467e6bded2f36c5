internal import Synchronization

/// What a collection of feeds tells its delegate, always on the main actor.
///
/// A class needs no annotation: conforming makes it the main actor's.
@MainActor
public protocol FeedCollectionDelegate: AnyObject, Sendable {
    /// The list was fetched.
    func feedCollectionDidFetch(_ collection: FeedCollection)
    /// It could not be fetched.
    func feedCollectionFailedToFetch(_ collection: FeedCollection, error: any Error)
}

extension FeedCollectionDelegate {
    /// Does nothing.
    public func feedCollectionDidFetch(_ collection: FeedCollection) {}
    /// Does nothing.
    public func feedCollectionFailedToFetch(_ collection: FeedCollection, error: any Error) {}
}

extension FeedCollection {
    /// Who is told what happens, on the main actor; held weakly.
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

/// What a collection of datapoints tells its delegate, always on the main actor.
///
/// A class needs no annotation: conforming makes it the main actor's.
@MainActor
public protocol DatapointCollectionDelegate: AnyObject, Sendable {
    /// All that was new or changed is saved.
    func datapointCollectionDidSaveAll(_ collection: DatapointCollection)
    /// Not all could be saved; what could not is still unsaved.
    func datapointCollectionFailedToSaveAll(_ collection: DatapointCollection, error: any Error)
}

extension DatapointCollectionDelegate {
    /// Does nothing.
    public func datapointCollectionDidSaveAll(_ collection: DatapointCollection) {}
    /// Does nothing.
    public func datapointCollectionFailedToSaveAll(_ collection: DatapointCollection, error: any Error) {}
}

extension DatapointCollection {
    /// Who is told what happens, on the main actor; held weakly.
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
