internal import HeliumConcurrency
public import HeliumJSON
public import HeliumKit
internal import Observation
internal import Synchronization

/// An observable object that mirrors a datapoint (LibCOSM's `COSMDatapointModel`). The point's instant is its identity.
///
/// The members of ``Datapoint`` are properties of the model as well (`point.at`, `point.value`).
@dynamicMemberLookup
public final class DatapointModel: EntityHolder {
    let core: ModelCore<Datapoint>
    private let owner = Guarded(WeakReference<DatastreamModel>())

    /// Creates a model of a new datapoint.
    ///
    /// - Parameters:
    ///   - datapoint: The point. Without `at` it gets the time of saving.
    ///   - feedID: The feed's id. It is not needed for a point that is added to a datastream's collection.
    ///   - datastreamID: The datastream's id. It is not needed for a point that is added to a datastream's collection.
    ///   - isNew: Whether the point does not exist on the server yet. Default: `true`, as in LibCOSM.
    ///   - api: The API of this point; `nil` to use that of the datastream, or else ``CosmClient/default``.
    public convenience init(
        _ datapoint: Datapoint = Datapoint(at: nil),
        feedID: Feed.ID? = nil,
        datastreamID: String? = nil,
        isNew: Bool = true,
        api: CosmClient? = nil
    ) {
        let scope = ModelScope(api: api, feedID: feedID, datastreamID: datastreamID)
        self.init(datapoint, knownSince: nil, isNew: isNew, scope: scope)
    }

    convenience init(known datapoint: Datapoint, _ context: DocumentContext, parent: ModelScope) {
        self.init(datapoint, knownSince: context.askedAt, isNew: false, scope: ModelScope(parent: parent))
    }

    private init(_ datapoint: Datapoint, knownSince number: UInt64?, isNew: Bool, scope: ModelScope) {
        core = ModelCore(datapoint, knownSince: number, isNew: isNew, scope: scope)
    }

    /// Accesses a member of the datapoint.
    public subscript<Value: Hashable & Sendable>(dynamicMember path: WritableKeyPath<Datapoint, Value>) -> Value {
        get { read(path) }
        set { edit(path, to: newValue) }
    }
}

// MARK: Members

extension DatapointModel {
    /// The current datapoint, including unsaved changes.
    public var datapoint: Datapoint {
        core.registrar.access(self, keyPath: \.info)
        return entity
    }

    /// The datastream model that the point belongs to; `nil` if there is none or it was released.
    public internal(set) var datastream: DatastreamModel? {
        get { owner.withLock { $0.object } }
        set { owner.withLock { $0.object = newValue } }
    }

    /// The id of the feed: its own, or that of the datastream that it belongs to.
    public var feedID: Feed.ID? {
        get { core.scope.feedID }
        set { core.scope.feedID = newValue }
    }

    /// The id of the datastream: its own, or that of the datastream that it belongs to.
    public var datastreamID: String? {
        get { core.scope.datastreamID }
        set { core.scope.datastreamID = newValue }
    }

    /// The datapoint as JSON. See ``CosmModel/info``.
    public var info: JSONObject {
        get { readInfo() }
        set { editInfo(newValue) }
    }

    /// Accesses a member by its name in JSON. Setting it counts as a change even if the value is the same.
    public subscript(member name: String) -> JSONValue? {
        get { info[name] }
        set { editMember(name, to: newValue) }
    }

    /// Whether the point does not exist on the server yet, as far as the model knows.
    public var isNew: Bool {
        get { readIsNew() }
        set { setNew(newValue) }
    }

    /// Whether the datapoint was deleted on the server.
    public var isDeleted: Bool {
        get { readIsDeleted() }
        set { setDeleted(newValue) }
    }

    /// The names of the members with unsaved changes.
    public var unsavedMembers: Set<String> { readUnsavedMembers() }

    /// The API of this datapoint; `nil` to use that of the datastream, or else ``CosmClient/default``.
    public var api: CosmClient? {
        get { core.scope.ownAPI }
        set { core.scope.ownAPI = newValue }
    }

    /// The events of the datapoint from now on.
    public var events: ModelEvents { ModelEvents(core.events) }

    /// Changes both members at once.
    ///
    /// - Parameter change: Changes a copy. The members that differ afterwards are applied.
    public func update<Failure: Error>(_ change: (inout Datapoint) throws(Failure) -> Void) throws(Failure) {
        try editAll(change)
    }

    /// Resets the members with unsaved changes to the last known values of the server.
    public func discardChanges() { discardEdits() }

    /// Sets a query parameter of later fetches.
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        setParameter(name, to: value)
    }

    /// Removes all parameters.
    public func resetParameters() { removeParameters() }

    func entityDidChange() {}
}

// MARK: Requests

extension DatapointModel {
    /// Fetches the datapoint: `GET /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`.
    ///
    /// - Returns: The changes.
    /// - Throws: ``IncompleteModel/datapointHasNoFeedID``, ``IncompleteModel/datapointHasNoDatastreamID``,
    ///   ``IncompleteModel/datapointHasNoInstant``; the errors of the API.
    @discardableResult
    public func fetch() async throws -> ModelChanges {
        try await report(failure: .fetchFailed) {
            let (place, instant) = (try requiredPlace(), try requiredInstant())
            let context = DocumentContext(parameters: core.parameters)
            let document = try await requests().datapoint(at: instant, in: place, core.parameters)
            let changes = absorb(document, context)
            core.events.send(ModelEvent(.fetched, changes: changes))
            return changes
        }
    }

    /// Stores the datapoint, also if it exists already: `POST /feeds/{feed}/datastreams/{datastream}/datapoints`.
    ///
    /// A point without `at` gets the current time, because the service rejects it otherwise.
    ///
    /// - Throws: ``IncompleteModel/datapointHasNoFeedID``, ``IncompleteModel/datapointHasNoDatastreamID``; the errors
    ///   of the API.
    public func save() async throws {
        try await report(failure: .saveFailed) {
            _ = try requiredPlace()
            try await core.writes.withLock {
                let (place, requests) = (try requiredPlace(), try requests())
                setInstant(requests.now)
                let draft = draft()
                if let point = draft.point, let failure = await requests.store([point], in: place).failure {
                    throw failure
                }
                confirm(draft)
            }
            core.events.send(ModelEvent(.saved))
        }
    }

    /// Deletes the datapoint: `DELETE /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`.
    ///
    /// - Throws: ``IncompleteModel/datapointHasNoFeedID``, ``IncompleteModel/datapointHasNoDatastreamID``,
    ///   ``IncompleteModel/datapointHasNoInstant``; the errors of the API.
    public func delete() async throws {
        try await report(failure: .deleteFailed) {
            _ = (try requiredPlace(), try requiredInstant())
            try await core.writes.withLock {
                let (place, instant) = (try requiredPlace(), try requiredInstant())
                try await requests().deleteDatapoint(at: instant, in: place)
            }
            setDeleted(true)
            core.events.send(ModelEvent(.deleted))
        }
    }

    private func requests() throws -> ModelRequests { ModelRequests(api: try core.scope.api()) }

    private func requiredPlace() throws -> DatastreamPlace {
        guard let feedID else { throw IncompleteModel.datapointHasNoFeedID }
        guard let datastreamID else { throw IncompleteModel.datapointHasNoDatastreamID }
        return DatastreamPlace(feedID: feedID, datastreamID: datastreamID)
    }

    private func requiredInstant() throws -> Timestamp {
        guard let instant = entity.at else { throw IncompleteModel.datapointHasNoInstant }
        return instant
    }
}

// MARK: Membership in a datastream

extension DatapointModel {
    /// A datapoint to store, and the snapshot that storing it confirms.
    struct Draft: Sendable {
        /// The point; `nil` if the server has it already.
        var point: Datapoint?
        var snapshot: ModelState<Datapoint>.Snapshot
    }

    static func listID(of entity: Datapoint) -> Timestamp? { entity.at }

    func absorb(_ document: Datapoint, _ context: DocumentContext) -> ModelChanges {
        var changes = ModelChanges()
        changes.members = merge(document, askedAt: context.askedAt)
        return changes
    }

    func mustStay(since number: UInt64) -> Bool { hasUnsavedWork || isNewer(than: number) }

    /// Sets the instant of a point that has none.
    ///
    /// - Returns: Whether the point took the instant.
    @discardableResult
    func setInstant(_ instant: Timestamp) -> Bool {
        !change { state in
            if state.entity.value.at != nil { return [] }
            state.entity.assign { $0.at = instant }
            return ["at"]
        }
        .isEmpty
    }

    func draft() -> Draft {
        let (state, isNew) = core.state.withLock { ($0.entity, $0.isNew) }
        let snapshot = state.snapshot
        guard isNew || !snapshot.isEmpty else { return Draft(point: nil, snapshot: snapshot) }
        // A point is sent whole, including members without a typed property.
        var point = state.value
        for (name, value) in state.untyped { point.extra[name] = value }
        return Draft(point: point, snapshot: snapshot)
    }

    func confirm(_ draft: Draft) {
        change { state in
            state.isNew = false
            return state.entity.confirm(draft.snapshot, at: EditSequence.next())
        }
    }

    /// Makes it a datapoint of another datastream.
    func move(to scope: ModelScope) {
        core.scope.feedID = nil
        core.scope.datastreamID = nil
        core.scope.parent = scope
    }
}
