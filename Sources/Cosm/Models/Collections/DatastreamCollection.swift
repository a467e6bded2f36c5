internal import HeliumConcurrency
public import Observation
internal import Synchronization

/// The datastreams of a feed as models (LibCOSM's `COSMDatastreamCollection`).
///
/// It sends no requests itself. It is filled when its feed is fetched, saved and updated live. A model stays the same
/// object as long as the feed has a datastream with its id.
public final class DatastreamCollection: Observable, Sendable {
    let scope: ModelScope
    let list = ModelList<DatastreamModel>()
    private let owner: Guarded<WeakReference<FeedModel>>
    private let registrar = ObservationRegistrar()

    /// Creates a collection that belongs to no feed model.
    ///
    /// - Parameters:
    ///   - feedID: The id of the feed.
    ///   - api: The API of its datastreams; `nil` for ``CosmClient/default``.
    public init(feedID: Feed.ID? = nil, api: CosmClient? = nil) {
        scope = ModelScope(api: api, feedID: feedID)
        owner = Guarded(WeakReference())
    }

    init(parent: ModelScope) {
        scope = ModelScope(parent: parent)
        owner = Guarded(WeakReference())
    }

    /// The feed model that the collection belongs to; `nil` if there is none or it was released.
    public internal(set) var feed: FeedModel? {
        get { owner.withLock { $0.object } }
        set { owner.withLock { $0.object = newValue } }
    }

    /// The id of the feed; `nil` if it has none yet. Set it only for collections that belong to no feed model.
    public var feedID: Feed.ID? {
        get { scope.feedID }
        set { scope.feedID = newValue }
    }

    /// The API of the datastreams; `nil` to use that of the feed, or else ``CosmClient/default``.
    public var api: CosmClient? {
        get { scope.ownAPI }
        set { scope.ownAPI = newValue }
    }

    /// The models in the server's order, followed by those that the server does not have.
    public var datastreams: [DatastreamModel] {
        registrar.access(self, keyPath: \.datastreams)
        return list.all
    }

    /// Returns the datastream with an id; `nil` if there is none.
    public subscript(id: String) -> DatastreamModel? {
        registrar.access(self, keyPath: \.datastreams)
        return list.model(id: id)
    }
}

// MARK: Changing

extension DatastreamCollection {
    /// Adds a datastream. The next save of the feed or of the datastream creates it if it is new.
    ///
    /// The datastream belongs to this feed from then on, and uses the feed's API unless it has its own.
    public func add(_ datastream: DatastreamModel) {
        guard list.add(datastream) else { return }
        datastream.move(to: scope)
        datastream.feed = feed
        notify()
    }

    /// Creates a model of a new datastream and adds it.
    ///
    /// - Returns: The model.
    @discardableResult
    public func add(_ datastream: Datastream) -> DatastreamModel {
        let model = DatastreamModel(datastream)
        add(model)
        return model
    }

    /// Removes a datastream from the collection, but not from the server: see ``DatastreamModel/delete()``.
    public func remove(_ datastream: DatastreamModel) {
        if list.remove(datastream) { notify() }
    }

    /// Removes the datastreams that were deleted on the server from the collection.
    public func removeDeleted() {
        if !list.removeDeleted().isEmpty { notify() }
    }

    /// Applies a list of datastreams from a document. Models with the same id are updated in place.
    ///
    /// Unsaved changes and new datastreams stay.
    ///
    /// - Parameters:
    ///   - documents: The datastreams; `nil` changes nothing.
    ///   - isComplete: Whether the list is complete, so that other datastreams are removed. Default: `true`.
    /// - Returns: The changes.
    @discardableResult
    public func parse(_ documents: [Datastream]?, isComplete: Bool = true) -> ModelChanges {
        var changes = ModelChanges()
        guard let documents else { return changes }
        var context = DocumentContext(pushedAs: .fetched)
        context.namesAllDatastreams = isComplete
        changes.add(merge(documents, context))
        return changes
    }

    /// - Parameter unreadable: The ids of datastreams of the document that could not be read; `nil` if not all are known.
    func merge(
        _ documents: [Datastream],
        _ context: DocumentContext,
        unreadable: [String]? = []
    ) -> ModelList<DatastreamModel>.Changes {
        let changes = list.merge(
            documents,
            context,
            isComplete: context.namesAllDatastreams,
            unreadable: unreadable.map(Set.init),
            parent: scope
        )
        for datastream in changes.inserted { datastream.feed = feed }
        if changes.isOfMembership { notify() }
        return changes
    }

    private func notify() { registrar.withMutation(of: self, keyPath: \.datastreams) {} }
}
