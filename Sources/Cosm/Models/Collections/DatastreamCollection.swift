internal import HeliumConcurrency
public import Observation
internal import Synchronization

/// The datastreams of a feed as models (LibCOSM's `COSMDatastreamCollection`).
///
/// It makes no requests itself: it is filled when its feed is fetched, saved and updated live. Models stay the same objects
/// as long as the feed has a datastream of their id.
public final class DatastreamCollection: Observable, Sendable {
    let scope: ModelScope
    let list = ModelList<DatastreamModel>()
    private let owner: Guarded<WeakReference<FeedModel>>
    private let registrar = ObservationRegistrar()

    /// A collection that belongs to no feed model.
    ///
    /// - Parameters:
    ///   - feedID: The id of the feed.
    ///   - api: The API of its datastreams; `nil` for ``CosmAPI/default``.
    public init(feedID: Feed.ID? = nil, api: CosmAPI? = nil) {
        scope = ModelScope(api: api, feedID: feedID)
        owner = Guarded(WeakReference())
    }

    init(parent: ModelScope) {
        scope = ModelScope(parent: parent)
        owner = Guarded(WeakReference())
    }

    /// The feed that these are the datastreams of.
    public internal(set) var feed: FeedModel? {
        get { owner.withLock { $0.object } }
        set { owner.withLock { $0.object = newValue } }
    }

    /// The id of the feed; `nil` while it has none. Setting it is for collections that belong to no feed model.
    public var feedID: Feed.ID? {
        get { scope.feedID }
        set { scope.feedID = newValue }
    }

    /// The API of the datastreams; `nil` to use the feed's, else ``CosmAPI/default``.
    public var api: CosmAPI? {
        get { scope.ownAPI }
        set { scope.ownAPI = newValue }
    }

    /// The models, in the server's order; what is not there yet comes last.
    public var datastreams: [DatastreamModel] {
        registrar.access(self, keyPath: \.datastreams)
        return list.all
    }

    /// The datastream with that id.
    public subscript(id: String) -> DatastreamModel? {
        registrar.access(self, keyPath: \.datastreams)
        return list.model(id: id)
    }
}

// MARK: Changing

extension DatastreamCollection {
    /// Adds a datastream; a new one is created by the feed's next save, or by its own.
    ///
    /// It belongs to this feed then, and uses its API unless it has one of its own.
    public func add(_ datastream: DatastreamModel) {
        guard list.add(datastream) else { return }
        datastream.move(to: scope)
        datastream.feed = feed
        notify()
    }

    /// Makes a new datastream and adds it.
    ///
    /// - Returns: Its model.
    @discardableResult
    public func add(_ datastream: Datastream) -> DatastreamModel {
        let model = DatastreamModel(datastream)
        add(model)
        return model
    }

    /// Takes a datastream out of the collection. The server is not asked: see ``DatastreamModel/delete()``.
    public func remove(_ datastream: DatastreamModel) {
        if list.remove(datastream) { notify() }
    }

    /// Takes out the datastreams that were deleted on the server.
    public func removeDeleted() {
        if !list.removeDeleted().isEmpty { notify() }
    }

    /// Takes over a list of datastreams from a document: those with known ids are changed in place.
    ///
    /// Unsaved changes stay, and so do new datastreams.
    ///
    /// - Parameters:
    ///   - documents: The datastreams; `nil` changes nothing.
    ///   - isComplete: Whether they are all that the feed has, so that others go. Default: yes.
    /// - Returns: What became different.
    @discardableResult
    public func parse(_ documents: [Datastream]?, isComplete: Bool = true) -> ModelChanges {
        var changes = ModelChanges()
        guard let documents else { return changes }
        var context = DocumentContext(pushedAs: .fetched)
        context.namesAllDatastreams = isComplete
        changes.add(merge(documents, context))
        return changes
    }

    func merge(_ documents: [Datastream], _ context: DocumentContext) -> ModelList<DatastreamModel>.Changes {
        let changes = list.merge(documents, context, isComplete: context.namesAllDatastreams, parent: scope)
        for datastream in changes.inserted { datastream.feed = feed }
        if changes.isOfMembership { notify() }
        return changes
    }

    private func notify() { registrar.withMutation(of: self, keyPath: \.datastreams) {} }
}
