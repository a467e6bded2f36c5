internal import HeliumConcurrency
internal import HeliumJSON
public import Observation
internal import Synchronization

/// The datapoints of a datastream as models (LibCOSM's `COSMDatapointCollection`).
///
/// It is filled when its datastream is fetched with history parameters, and saves new points in batches. For long
/// histories, which need no models, see ``CosmAPI``.
public final class DatapointCollection: Observable, Sendable {
    private struct State: Sendable {
        var owner = WeakReference<DatastreamModel>()
        var delegate: DelegateRelay?
    }

    let scope: ModelScope
    let list = ModelList<DatapointModel>()
    private let broadcast = ModelEvents.broadcast()
    private let writes = AsyncLock()
    private let state = Guarded(State())
    private let registrar = ObservationRegistrar()

    /// A collection that belongs to no datastream model.
    ///
    /// - Parameters:
    ///   - feedID: The id of the feed.
    ///   - datastreamID: The id of the datastream.
    ///   - api: The API of the collection and its datapoints; `nil` for ``CosmAPI/default``.
    public init(feedID: Feed.ID? = nil, datastreamID: String? = nil, api: CosmAPI? = nil) {
        scope = ModelScope(api: api, feedID: feedID, datastreamID: datastreamID)
    }

    init(parent: ModelScope) { scope = ModelScope(parent: parent) }

    /// The datastream that these are the datapoints of.
    public internal(set) var datastream: DatastreamModel? {
        get { state.withLock { $0.owner.object } }
        set { state.withLock { $0.owner.object = newValue } }
    }

    /// The id of the feed. Setting it is for collections that belong to no datastream model.
    public var feedID: Feed.ID? {
        get { scope.feedID }
        set { scope.feedID = newValue }
    }

    /// The id of the datastream. Setting it is for collections that belong to no datastream model.
    public var datastreamID: String? {
        get { scope.datastreamID }
        set { scope.datastreamID = newValue }
    }

    /// The API of the collection and its datapoints; `nil` to use the datastream's, else ``CosmAPI/default``.
    public var api: CosmAPI? {
        get { scope.ownAPI }
        set { scope.ownAPI = newValue }
    }

    /// The models: as the server sent them, then what is not there yet.
    public var datapoints: [DatapointModel] {
        registrar.access(self, keyPath: \.datapoints)
        return list.all
    }

    /// The datapoint of that instant.
    public subscript(instant: Timestamp) -> DatapointModel? {
        registrar.access(self, keyPath: \.datapoints)
        return list.model(id: instant)
    }

    /// What happens to the collection from now on: saves and their failures.
    public var events: ModelEvents { ModelEvents(broadcast) }

    var delegateRelay: DelegateRelay? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
}

// MARK: Changing

extension DatapointCollection {
    /// Adds a datapoint, which then belongs to this datastream.
    public func add(_ datapoint: DatapointModel) {
        guard list.add(datapoint) else { return }
        datapoint.move(to: scope)
        datapoint.datastream = datastream
        notify()
    }

    /// Makes a new datapoint and adds it.
    ///
    /// - Returns: Its model.
    @discardableResult
    public func add(_ datapoint: Datapoint) -> DatapointModel {
        let model = DatapointModel(datapoint)
        add(model)
        return model
    }

    /// Takes a datapoint out of the collection. The server is not asked: see ``DatapointModel/delete()``.
    public func remove(_ datapoint: DatapointModel) {
        if list.remove(datapoint) { notify() }
    }

    /// Takes out the datapoints that were deleted on the server.
    public func removeDeleted() {
        if !list.removeDeleted().isEmpty { notify() }
    }

    /// Takes over a list of datapoints from a document: those of known instants are changed in place.
    ///
    /// Unsaved changes stay, and so do new datapoints.
    ///
    /// - Parameters:
    ///   - documents: The datapoints; `nil` changes nothing.
    ///   - isComplete: Whether they are all that the collection is to have, so that others go. Default: yes.
    /// - Returns: What became different.
    @discardableResult
    public func parse(_ documents: [Datapoint]?, isComplete: Bool = true) -> ModelChanges {
        var changes = ModelChanges()
        guard let documents else { return changes }
        changes.add(merge(documents, DocumentContext(pushedAs: .fetched), isComplete: isComplete))
        return changes
    }

    func merge(
        _ documents: [Datapoint],
        _ context: DocumentContext,
        isComplete: Bool = true
    ) -> ModelList<DatapointModel>.Changes {
        let changes = list.merge(documents, context, isComplete: isComplete, parent: scope)
        for point in changes.inserted { point.datastream = datastream }
        if changes.isOfMembership { notify() }
        return changes
    }

    private func notify() { registrar.withMutation(of: self, keyPath: \.datapoints) {} }
}

// MARK: Saving

extension DatapointCollection {
    /// Stores the datapoints that are new or were changed: `POST /feeds/{feed}/datastreams/{datastream}/datapoints`, in
    /// batches that the service takes, in order.
    ///
    /// Points without `at` get the present time, each a microsecond after the one before. With nothing to store nothing is
    /// sent. If a batch fails, the points of those before it are saved, and its own and all later ones are still unsaved:
    /// saving again sends just them.
    ///
    /// - Throws: ``IncompleteModel/collectionHasNoFeedID``, ``IncompleteModel/collectionHasNoDatastreamID``; what the API
    ///   throws.
    public func save() async throws {
        do {
            _ = try requiredPlace()
            let saved = try await writes.withLock { try await saveNow() }
            var changes = ModelChanges()
            changes.updatedChildren = saved.compactMap { $0.listID?.description }
            broadcast.send(ModelEvent(.saved, changes: changes))
        } catch {
            broadcast.send(ModelEvent(.saveFailed, error: error))
            throw error
        }
    }

    private func saveNow() async throws -> [DatapointModel] {
        let place = try requiredPlace()
        let members = list.all.filter { $0.hasUnsavedWork }
        if members.isEmpty { return [] }
        let requests = ModelRequests(api: try scope.api())
        return try await AsyncLock.withLocks(members.map(\.core.writes)) {
            stamp(members, from: requests.now)
            let drafts = members.map { ($0, $0.draft()) }.filter { $0.1.point != nil }
            let (stored, failure) = await requests.store(drafts.compactMap(\.1.point), in: place)
            for (model, draft) in drafts.prefix(stored) { model.confirm(draft) }
            if let failure { throw failure }
            return drafts.map(\.0)
        }
    }

    private func stamp(_ members: [DatapointModel], from now: Timestamp) {
        var next = now
        for member in members where member.setInstant(next) { next = next.advanced(by: .microseconds(1)) }
    }

    private func requiredPlace() throws -> DatastreamPlace {
        guard let feedID else { throw IncompleteModel.collectionHasNoFeedID }
        guard let datastreamID else { throw IncompleteModel.collectionHasNoDatastreamID }
        return DatastreamPlace(feedID: feedID, datastreamID: datastreamID)
    }
}
