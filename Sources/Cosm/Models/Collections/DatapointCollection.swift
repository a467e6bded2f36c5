internal import HeliumConcurrency
internal import HeliumJSON
public import Observation
internal import Synchronization

/// The datapoints of a datastream as models (LibCOSM's `COSMDatapointCollection`).
///
/// It is filled when its datastream is fetched with history parameters, and saves new points in batches. Long histories
/// do not need models: use ``CosmClient/history(of:in:from:to:every:type:function:findsPrevious:pageLimit:)``.
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

    /// Creates a collection that belongs to no datastream model.
    ///
    /// - Parameters:
    ///   - feedID: The id of the feed.
    ///   - datastreamID: The id of the datastream.
    ///   - api: The API of the collection and its datapoints; `nil` for ``CosmClient/default``.
    public init(feedID: Feed.ID? = nil, datastreamID: String? = nil, api: CosmClient? = nil) {
        scope = ModelScope(api: api, feedID: feedID, datastreamID: datastreamID)
    }

    init(parent: ModelScope) { scope = ModelScope(parent: parent) }

    /// The datastream model that the collection belongs to; `nil` if there is none or it was released.
    public internal(set) var datastream: DatastreamModel? {
        get { state.withLock { $0.owner.object } }
        set { state.withLock { $0.owner.object = newValue } }
    }

    /// The id of the feed. Set it only for collections that belong to no datastream model.
    public var feedID: Feed.ID? {
        get { scope.feedID }
        set { scope.feedID = newValue }
    }

    /// The id of the datastream. Set it only for collections that belong to no datastream model.
    public var datastreamID: String? {
        get { scope.datastreamID }
        set { scope.datastreamID = newValue }
    }

    /// The API of the collection and its datapoints; `nil` to use that of the datastream, or else ``CosmClient/default``.
    public var api: CosmClient? {
        get { scope.ownAPI }
        set { scope.ownAPI = newValue }
    }

    /// The models in the server's order, followed by those that the server does not have.
    public var datapoints: [DatapointModel] {
        registrar.access(self, keyPath: \.datapoints)
        return list.all
    }

    /// Returns the datapoint of an instant; `nil` if there is none.
    public subscript(instant: Timestamp) -> DatapointModel? {
        registrar.access(self, keyPath: \.datapoints)
        return list.model(id: instant)
    }

    /// The events of the collection from now on: saves and their failures.
    public var events: ModelEvents { ModelEvents(broadcast) }

    var delegateRelay: DelegateRelay? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
}

// MARK: Changing

extension DatapointCollection {
    /// Adds a datapoint. It belongs to this datastream from then on.
    public func add(_ datapoint: DatapointModel) {
        guard list.add(datapoint) else { return }
        datapoint.move(to: scope)
        datapoint.datastream = datastream
        notify()
    }

    /// Creates a model of a new datapoint and adds it.
    ///
    /// - Returns: The model.
    @discardableResult
    public func add(_ datapoint: Datapoint) -> DatapointModel {
        let model = DatapointModel(datapoint)
        add(model)
        return model
    }

    /// Removes a datapoint from the collection, but not from the server: see ``DatapointModel/delete()``.
    public func remove(_ datapoint: DatapointModel) {
        if list.remove(datapoint) { notify() }
    }

    /// Removes the datapoints that were deleted on the server from the collection.
    public func removeDeleted() {
        if !list.removeDeleted().isEmpty { notify() }
    }

    /// Applies a list of datapoints from a document. Models with the same instant are updated in place.
    ///
    /// Unsaved changes and new datapoints stay.
    ///
    /// - Parameters:
    ///   - documents: The datapoints; `nil` changes nothing.
    ///   - isComplete: Whether the list is complete, so that other datapoints are removed. Default: `true`.
    /// - Returns: The changes.
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
    /// Stores the datapoints that are new or have unsaved changes:
    /// `POST /feeds/{feed}/datastreams/{datastream}/datapoints`.
    ///
    /// The points are sent in order, in batches of the size that the service accepts. Points without `at` get the
    /// current time, each a microsecond after the previous one. Nothing is sent if there is nothing to store. If a
    /// batch fails, the points of earlier batches are saved. Those of the failed batch and of later ones remain
    /// unsaved, and the next save sends them.
    ///
    /// - Throws: ``IncompleteModel/collectionHasNoFeedID``, ``IncompleteModel/collectionHasNoDatastreamID``; the errors
    ///   of the API.
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
