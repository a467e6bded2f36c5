internal import HeliumConcurrency
public import HeliumJSON
public import HeliumKit
internal import Observation
internal import Synchronization

/// A datastream as a model (LibCOSM's `COSMDatastreamModel`).
///
/// ```swift
/// let stream = DatastreamModel(Datastream(id: "temp", currentValue: 20.5), feedID: 504)
/// try await stream.save()
/// stream.useParameter("duration", withValue: "1day")
/// try await stream.fetch()
/// for point in stream.datapoints.datapoints { print(point.at?.description ?? "", point.value?.text ?? "") }
/// ```
///
/// All members of ``Datastream`` are properties of the model too (`stream.currentValue`, `stream.unit?.symbol`). A value that
/// is set and saved without `at` is of the moment when it arrives at the server.
@dynamicMemberLookup
public final class DatastreamModel: CosmSubscribable, EntityHolder {
    let core: ModelCore<Datastream>
    private let owner = Guarded(WeakReference<FeedModel>())

    /// The datapoints that history parameters of a fetch asked for, and new ones to save.
    public let datapoints: DatapointCollection

    /// A model of a new datastream.
    ///
    /// - Parameters:
    ///   - datastream: The datastream: what is in it is unsaved. Its datapoints become new models.
    ///   - feedID: The feed's id; not needed if it is added to a feed's collection.
    ///   - isNew: Whether the server doesn't have it yet. Default: yes, as in LibCOSM.
    ///   - api: The API for this datastream and all below; `nil` to use that of the feed, else ``CosmAPI/default``.
    public convenience init(
        _ datastream: Datastream = Datastream(id: nil),
        feedID: Feed.ID? = nil,
        isNew: Bool = true,
        api: CosmAPI? = nil
    ) {
        let scope = ModelScope(api: api, feedID: feedID, datastreamID: datastream.id)
        self.init(datastream, knownSince: nil, isNew: isNew, scope: scope)
        for point in datastream.datapoints ?? [] { datapoints.add(point) }
    }

    /// A model of a datastream that is on the server: nothing is known of it until it is fetched or updated.
    public convenience init(id: String, feedID: Feed.ID, api: CosmAPI? = nil) {
        self.init(Datastream(id: id), feedID: feedID, isNew: false, api: api)
    }

    convenience init(known datastream: Datastream, _ context: DocumentContext, parent: ModelScope) {
        let scope = ModelScope(datastreamID: datastream.id, parent: parent)
        self.init(datastream, knownSince: context.askedAt, isNew: false, scope: scope)
        if let points = datastream.datapoints { _ = datapoints.merge(points, context) }
    }

    private init(_ datastream: Datastream, knownSince number: UInt64?, isNew: Bool, scope: ModelScope) {
        core = ModelCore(datastream, knownSince: number, isNew: isNew, scope: scope)
        datapoints = DatapointCollection(parent: scope)
        datapoints.datastream = self
    }

    /// A member of the datastream.
    public subscript<Value: Hashable & Sendable>(dynamicMember path: WritableKeyPath<Datastream, Value>) -> Value {
        get { read(path) }
        set { edit(path, to: newValue) }
    }
}

// MARK: What it is

extension DatastreamModel {
    /// The datastream as it is now, unsaved changes included, without its datapoints.
    public var datastream: Datastream {
        core.registrar.access(self, keyPath: \.info)
        return entity
    }

    /// The feed that it belongs to, while that model is there.
    public internal(set) var feed: FeedModel? {
        get { owner.withLock { $0.object } }
        set { owner.withLock { $0.object = newValue } }
    }

    /// The id of the feed, its own or that of the feed that it belongs to.
    public var feedID: Feed.ID? {
        get { core.scope.feedID }
        set { core.scope.feedID = newValue }
    }

    /// The JSON of the datastream, without `datapoints`. See ``CosmModel/info``.
    public var info: JSONObject {
        get { readInfo() }
        set { editInfo(newValue) }
    }

    /// A member by its name in JSON. Setting it counts as a change even if the value is the same.
    public subscript(member name: String) -> JSONValue? {
        get { info[name] }
        set { editMember(name, to: newValue) }
    }

    /// Whether the next save creates it. Made new by hand, it is sent whole.
    public var isNew: Bool {
        get { readIsNew() }
        set { setNew(newValue) }
    }

    /// Whether the datastream was deleted on the server.
    public var isDeleted: Bool {
        get { readIsDeleted() }
        set { setDeleted(newValue) }
    }

    /// The members that the next save sends.
    public var unsavedMembers: Set<String> { readUnsavedMembers() }

    /// The API for this datastream and all below; `nil` to use that of the feed, else ``CosmAPI/default``.
    public var api: CosmAPI? {
        get { core.scope.ownAPI }
        set { core.scope.ownAPI = newValue }
    }

    /// What happens to the datastream from now on.
    public var events: ModelEvents { ModelEvents(core.events) }

    /// Changes several members at once: observers and saves see all of it or nothing.
    ///
    /// - Parameter change: Changes a copy, of which the members that then differ are taken. Its datapoints are not looked
    ///   at.
    public func update<Failure: Error>(_ change: (inout Datastream) throws(Failure) -> Void) throws(Failure) {
        try editAll(change)
    }

    /// Gives the unsaved members back the values of the server.
    public func discardChanges() { discardEdits() }

    /// Sets a parameter of later fetches, such as `duration` or `interval` (§4).
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        setParameter(name, to: value)
    }

    /// Forgets all parameters.
    public func resetParameters() { removeParameters() }

    func entityDidChange() { core.scope.datastreamID = entity.id }
}

// MARK: Requests

extension DatastreamModel {
    /// Fetches the datastream; with history parameters also ``datapoints``: `GET /feeds/{feed}/datastreams/{id}`.
    ///
    /// - Returns: What became different.
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; what the API throws.
    @discardableResult
    public func fetch() async throws -> ModelChanges {
        try await report(failure: .fetchFailed) {
            let (feedID, id) = try requiredIDs()
            let context = DocumentContext(parameters: core.parameters)
            let document = try await requests().datastream(id, of: feedID, core.parameters)
            let changes = absorb(document, context)
            core.events.send(ModelEvent(.fetched, changes: changes))
            return changes
        }
    }

    /// Creates the datastream (`PUT /feeds/{feed}`, which does no harm if it is there), or sends its unsaved members
    /// (`PUT /feeds/{feed}/datastreams/{id}`). Datapoints are left alone.
    ///
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; what the API throws.
    public func save() async throws {
        try await report(failure: .saveFailed) {
            _ = try requiredIDs()
            try await core.writes.withLock { try await saveNow() }
            core.events.send(ModelEvent(.saved))
        }
    }

    /// Deletes the datastream with its datapoints: `DELETE /feeds/{feed}/datastreams/{id}`.
    ///
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; what the API throws.
    public func delete() async throws {
        try await report(failure: .deleteFailed) {
            _ = try requiredIDs()
            try await core.writes.withLock {
                let (feedID, id) = try requiredIDs()
                try await requests().deleteDatastream(id, of: feedID)
            }
            setDeletedWithChildren()
            await stopUpdates()
            core.events.send(ModelEvent(.deleted))
        }
    }

    private func saveNow() async throws {
        let (feedID, id) = try requiredIDs()
        let draft = try draft()
        if core.state.withLock({ $0.isNew }) {
            try await requests().updateFeed(feedID, ["datastreams": [.object(draft.body)]])
            return confirmCreation(draft.snapshot)
        }
        if !draft.body.isEmpty { try await requests().updateDatastream(id, of: feedID, draft.body) }
        change { $0.entity.confirm(draft.snapshot, at: EditClock.tick()) }
    }

    private func requests() throws -> ModelRequests { ModelRequests(api: try core.scope.api()) }

    private func requiredIDs() throws -> (feed: Feed.ID, datastream: String) {
        guard let feedID else { throw IncompleteModel.datastreamHasNoFeedID }
        guard let id = entity.id else { throw IncompleteModel.datastreamHasNoID }
        return (feedID, id)
    }
}

// MARK: Live updates

extension DatastreamModel {
    /// A Boolean value that indicates whether the server has confirmed a subscription that has not ended.
    public var isSubscribed: Bool { readIsSubscribed() }

    /// Subscribes to `/feeds/{feed}/datastreams/{id}`, and returns when the server has confirmed. Does nothing if the model is
    /// subscribed.
    ///
    /// - Parameter options: The updates to deliver besides the server's pushes.
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; what
    ///   ``CosmAPI/subscribe(to:in:options:on:)`` throws.
    public func subscribe(options: SubscriptionOptions) async throws {
        _ = try requiredIDs()
        try await keepUpdated { model in
            let (feedID, id) = try model.requiredIDs()
            return try await model.core.scope.api().subscribe(to: id, in: feedID, options: options)
        }
    }

    /// Ends the subscription, and returns when it has ended. Does nothing if the model is not subscribed.
    public func unsubscribe() async { await stopUpdates() }
}

// MARK: In a feed

extension DatastreamModel {
    static func listID(of entity: Datastream) -> String? { entity.id }

    func absorb(_ document: Datastream, _ context: DocumentContext) -> ModelChanges {
        var datastream = document
        datastream.removeChildren()
        var changes = ModelChanges()
        changes.members = merge(datastream, askedAt: context.askedAt)
        if let points = document.datapoints ?? (context.hasHistory ? [] : nil) {
            changes.add(datapoints.merge(points, context))
        }
        return changes
    }

    func mustStay(since number: UInt64) -> Bool {
        hasUnsavedWork || isNewer(than: number) || datapoints.list.all.contains { $0.mustStay(since: number) }
    }

    /// What creating or updating it sends. A new one's id comes first.
    func draft() throws -> ModelState<Datastream>.Draft {
        let (state, isNew) = core.state.withLock { ($0.entity, $0.isNew) }
        var draft = try state.draft(isNew: isNew)
        if isNew, let id = state.value.id {
            draft.body = JSONObject([("id", .string(id))] + draft.body.map { ($0.name, $0.value) })
        }
        return draft
    }

    func confirmCreation(_ snapshot: ModelState<Datastream>.Snapshot) {
        change { state in
            state.isNew = false
            return state.entity.confirm(snapshot, at: EditClock.tick())
        }
    }

    /// Makes it a datastream of another feed.
    func move(to scope: ModelScope) {
        core.scope.feedID = nil
        core.scope.parent = scope
    }

    func setDeletedWithChildren() {
        setDeleted(true)
        for point in datapoints.list.all { point.setDeleted(true) }
    }
}
