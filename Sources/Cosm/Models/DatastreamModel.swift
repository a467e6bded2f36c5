internal import HeliumConcurrency
public import HeliumJSON
public import HeliumKit
internal import Observation
internal import Synchronization

/// An observable object that mirrors a datastream (LibCOSM's `COSMDatastreamModel`).
///
/// ```swift
/// let stream = DatastreamModel(Datastream(id: "temp", currentValue: 20.5), feedID: 504)
/// try await stream.save()
/// stream.useParameter("duration", withValue: "1day")
/// try await stream.fetch()
/// for point in stream.datapoints.datapoints { print(point.at?.description ?? "", point.value?.text ?? "") }
/// ```
///
/// The members of ``Datastream`` are properties of the model as well (`stream.currentValue`, `stream.unit?.symbol`). A
/// value that is saved without `at` gets the time of its arrival at the server.
@dynamicMemberLookup
public final class DatastreamModel: CosmSubscribable, EntityHolder {
    let core: ModelCore<Datastream>
    private let owner = Guarded(WeakReference<FeedModel>())

    /// The datapoints that a fetch with history parameters returned, and new ones to save.
    public let datapoints: DatapointCollection

    /// Creates a model of a new datastream.
    ///
    /// - Parameters:
    ///   - datastream: The datastream. Its members are unsaved, and its datapoints become new models.
    ///   - feedID: The feed's id. It is not needed for a datastream that is added to a feed's collection.
    ///   - isNew: Whether the datastream does not exist on the server yet. Default: `true`, as in LibCOSM.
    ///   - api: The API of this datastream and its children; `nil` to use that of the feed, or else
    ///     ``CosmClient/default``.
    public convenience init(
        _ datastream: Datastream = Datastream(id: nil),
        feedID: Feed.ID? = nil,
        isNew: Bool = true,
        api: CosmClient? = nil
    ) {
        let scope = ModelScope(api: api, feedID: feedID, datastreamID: datastream.id)
        self.init(datastream, knownSince: nil, isNew: isNew, scope: scope)
        for point in datastream.datapoints ?? [] { datapoints.add(point) }
    }

    /// Creates a model of a datastream that exists on the server. Its members are unknown until it is fetched or
    /// updated.
    public convenience init(id: String, feedID: Feed.ID, api: CosmClient? = nil) {
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

    /// Accesses a member of the datastream.
    public subscript<Value: Hashable & Sendable>(dynamicMember path: WritableKeyPath<Datastream, Value>) -> Value {
        get { read(path) }
        set { edit(path, to: newValue) }
    }
}

// MARK: Members

extension DatastreamModel {
    /// The current datastream without its datapoints, including unsaved changes.
    public var datastream: Datastream {
        core.registrar.access(self, keyPath: \.info)
        return entity
    }

    /// The feed model that the datastream belongs to; `nil` if there is none or it was released.
    public internal(set) var feed: FeedModel? {
        get { owner.withLock { $0.object } }
        set { owner.withLock { $0.object = newValue } }
    }

    /// The id of the feed: its own, or that of the feed that it belongs to.
    public var feedID: Feed.ID? {
        get { core.scope.feedID }
        set { core.scope.feedID = newValue }
    }

    /// The datastream as JSON, without `datapoints`. See ``CosmModel/info``.
    public var info: JSONObject {
        get { readInfo() }
        set { editInfo(newValue) }
    }

    /// Accesses a member by its name in JSON. Setting it counts as a change even if the value is the same.
    public subscript(member name: String) -> JSONValue? {
        get { info[name] }
        set { editMember(name, to: newValue) }
    }

    /// Whether the next save creates the datastream. Setting it to `true` marks all members as unsaved.
    public var isNew: Bool {
        get { readIsNew() }
        set { setNew(newValue) }
    }

    /// Whether the datastream was deleted on the server.
    public var isDeleted: Bool {
        get { readIsDeleted() }
        set { setDeleted(newValue) }
    }

    /// The names of the members that the next save sends.
    public var unsavedMembers: Set<String> { readUnsavedMembers() }

    /// The API of this datastream and its children; `nil` to use that of the feed, or else ``CosmClient/default``.
    public var api: CosmClient? {
        get { core.scope.ownAPI }
        set { core.scope.ownAPI = newValue }
    }

    /// The events of the datastream from now on.
    public var events: ModelEvents { ModelEvents(core.events) }

    /// Changes several members at once. Observers and saves see all of the changes or none.
    ///
    /// - Parameter change: Changes a copy. The members that differ afterwards are applied, except the datapoints.
    public func update<Failure: Error>(_ change: (inout Datastream) throws(Failure) -> Void) throws(Failure) {
        try editAll(change)
    }

    /// Resets the members with unsaved changes to the last known values of the server.
    public func discardChanges() { discardEdits() }

    /// Sets a query parameter of later fetches, such as `duration` or `interval` (Docs/Protocols/Cosm.md §4).
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        setParameter(name, to: value)
    }

    /// Removes all parameters.
    public func resetParameters() { removeParameters() }

    func entityDidChange() { core.scope.datastreamID = entity.id }
}

// MARK: Requests

extension DatastreamModel {
    /// Fetches the datastream: `GET /feeds/{feed}/datastreams/{id}`. With history parameters it also fetches
    /// ``datapoints``.
    ///
    /// - Returns: The changes.
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; the errors of the
    ///   API.
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

    /// Creates the datastream or sends its unsaved members. Datapoints are not sent.
    ///
    /// A new datastream is created with `PUT /feeds/{feed}`, which is harmless if it exists. Otherwise unsaved members
    /// are sent with `PUT /feeds/{feed}/datastreams/{id}`.
    ///
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; the errors of the
    ///   API.
    public func save() async throws {
        try await report(failure: .saveFailed) {
            _ = try requiredIDs()
            try await core.writes.withLock { try await saveNow() }
            core.events.send(ModelEvent(.saved))
        }
    }

    /// Deletes the datastream with its datapoints: `DELETE /feeds/{feed}/datastreams/{id}`.
    ///
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; the errors of the
    ///   API.
    public func delete() async throws {
        try await report(failure: .deleteFailed) {
            _ = try requiredIDs()
            try await core.writes.withLock {
                let (feedID, id) = try requiredIDs()
                try await requests().deleteDatastream(id, of: feedID)
            }
            setDeletedWithChildren()
            for other in feed?.datastreams.list.noteDeletion(of: self) ?? [] { other.setDeletedWithChildren() }
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
        change { $0.entity.confirm(draft.snapshot, at: EditSequence.next()) }
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
    /// A Boolean value that indicates whether the model has a subscription that the server has confirmed.
    public var isSubscribed: Bool { readIsSubscribed() }

    /// Subscribes to `/feeds/{feed}/datastreams/{id}` and returns once the server has confirmed the subscription. Does
    /// nothing if the model is subscribed.
    ///
    /// - Parameter options: The updates to deliver beyond the server's pushes.
    /// - Throws: ``IncompleteModel/datastreamHasNoFeedID``, ``IncompleteModel/datastreamHasNoID``; the errors of
    ///   ``CosmClient/subscribe(to:in:options:on:)``.
    public func subscribe(options: SubscriptionOptions) async throws {
        _ = try requiredIDs()
        try await keepUpdated { model in
            let (feedID, id) = try model.requiredIDs()
            return try await model.core.scope.api().subscribe(to: id, in: feedID, options: options)
        } read: { model in
            let (feedID, id) = try model.requiredIDs()
            return try await model.requests().datastream(id, of: feedID, [:])
        }
    }

    /// Ends the subscription and returns once it has ended. Does nothing if the model is not subscribed.
    public func unsubscribe() async { await stopUpdates() }
}

// MARK: Membership in a feed

extension DatastreamModel {
    static func listID(of entity: Datastream) -> String? { entity.id }

    func absorb(_ document: Datastream, _ context: DocumentContext) -> ModelChanges {
        var datastream = document
        datastream.removeChildren()
        datastream.unreadable = UnreadableItems()
        var changes = ModelChanges()
        changes.members = merge(datastream, askedAt: context.askedAt)
        if let points = document.datapoints ?? (context.hasHistory ? [] : nil) {
            // A point that cannot be read is not removed from the collection.
            changes.add(datapoints.merge(points, context, isComplete: document.unreadable.isEmpty))
        }
        return changes
    }

    func mustStay(since number: UInt64) -> Bool {
        hasUnsavedWork || isNewer(than: number) || datapoints.list.all.contains { $0.mustStay(since: number) }
    }

    /// Returns the members that creating or updating the datastream sends. The id of a new datastream comes first.
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
            return state.entity.confirm(snapshot, at: EditSequence.next(), isCreation: true)
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
