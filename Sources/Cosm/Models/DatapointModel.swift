internal import HeliumConcurrency
public import HeliumJSON
public import HeliumKit
internal import Observation
internal import Synchronization

/// A datapoint as a model (LibCOSM's `COSMDatapointModel`). Its instant is its identity.
///
/// Both members of ``Datapoint`` are properties of the model too (`point.at`, `point.value`).
@dynamicMemberLookup
public final class DatapointModel: EntityHolder {
    let core: ModelCore<Datapoint>
    private let owner = Guarded(WeakReference<DatastreamModel>())

    /// A model of a new datapoint.
    ///
    /// - Parameters:
    ///   - datapoint: The point. Without `at` it gets the time at which it is saved.
    ///   - feedID: The feed's id; not needed if it is added to a datastream's collection.
    ///   - datastreamID: The datastream's id; likewise.
    ///   - isNew: Whether the server doesn't have it yet. Default: yes, as in LibCOSM.
    ///   - api: The API for this point; `nil` to use that of the datastream, else ``CosmAPI/default``.
    public convenience init(
        _ datapoint: Datapoint = Datapoint(at: nil),
        feedID: Feed.ID? = nil,
        datastreamID: String? = nil,
        isNew: Bool = true,
        api: CosmAPI? = nil
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

    /// A member of the datapoint.
    public subscript<Value: Hashable & Sendable>(dynamicMember path: WritableKeyPath<Datapoint, Value>) -> Value {
        get { read(path) }
        set { edit(path, to: newValue) }
    }
}

// MARK: What it is

extension DatapointModel {
    /// The datapoint as it is now, unsaved changes included.
    public var datapoint: Datapoint {
        core.registrar.access(self, keyPath: \.info)
        return entity
    }

    /// The datastream that it belongs to, while that model is there.
    public internal(set) var datastream: DatastreamModel? {
        get { owner.withLock { $0.object } }
        set { owner.withLock { $0.object = newValue } }
    }

    /// The id of the feed, its own or that of the datastream that it belongs to.
    public var feedID: Feed.ID? {
        get { core.scope.feedID }
        set { core.scope.feedID = newValue }
    }

    /// The id of the datastream, its own or that of the one that it belongs to.
    public var datastreamID: String? {
        get { core.scope.datastreamID }
        set { core.scope.datastreamID = newValue }
    }

    /// The JSON of the datapoint. See ``CosmModel/info``.
    public var info: JSONObject {
        get { readInfo() }
        set { editInfo(newValue) }
    }

    /// A member by its name in JSON. Setting it counts as a change even if the value is the same.
    public subscript(member name: String) -> JSONValue? {
        get { info[name] }
        set { editMember(name, to: newValue) }
    }

    /// Whether the server doesn't have it yet, as far as is known here.
    public var isNew: Bool {
        get { readIsNew() }
        set { setNew(newValue) }
    }

    /// Whether the datapoint was deleted on the server.
    public var isDeleted: Bool {
        get { readIsDeleted() }
        set { setDeleted(newValue) }
    }

    /// The members that are not saved.
    public var unsavedMembers: Set<String> { readUnsavedMembers() }

    /// The API for this datapoint; `nil` to use that of the datastream, else ``CosmAPI/default``.
    public var api: CosmAPI? {
        get { core.scope.ownAPI }
        set { core.scope.ownAPI = newValue }
    }

    /// What happens to the datapoint from now on.
    public var events: ModelEvents { ModelEvents(core.events) }

    /// Changes both members at once.
    ///
    /// - Parameter change: Changes a copy, of which the members that then differ are taken.
    public func update<Failure: Error>(_ change: (inout Datapoint) throws(Failure) -> Void) throws(Failure) {
        try editAll(change)
    }

    /// Gives an unsaved value back the one of the server.
    public func discardChanges() { discardEdits() }

    /// Sets a parameter of later fetches.
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        setParameter(name, to: value)
    }

    /// Forgets all parameters.
    public func resetParameters() { removeParameters() }

    func entityDidChange() {}
}

// MARK: Requests

extension DatapointModel {
    /// Fetches the datapoint: `GET /feeds/{feed}/datastreams/{datastream}/datapoints/{at}`.
    ///
    /// - Returns: What became different.
    /// - Throws: ``IncompleteModel/datapointHasNoFeedID``, ``IncompleteModel/datapointHasNoDatastreamID``,
    ///   ``IncompleteModel/datapointHasNoInstant``; what the API throws.
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

    /// Stores the datapoint, whether it is there or not: `POST /feeds/{feed}/datastreams/{datastream}/datapoints`.
    ///
    /// One without `at` gets the present time, as the service refuses it otherwise.
    ///
    /// - Throws: ``IncompleteModel/datapointHasNoFeedID``, ``IncompleteModel/datapointHasNoDatastreamID``; what the API
    ///   throws.
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
    ///   ``IncompleteModel/datapointHasNoInstant``; what the API throws.
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

// MARK: In a datastream

extension DatapointModel {
    /// A datapoint to store, and what that confirms.
    struct Draft: Sendable {
        /// `nil` if the server has it already.
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

    /// Gives it an instant if it has none.
    ///
    /// - Returns: Whether it took the one offered.
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
        // A point is one value: it is sent whole. What has no typed property goes along.
        var point = state.value
        for (name, value) in state.untyped { point.extra[name] = value }
        return Draft(point: point, snapshot: snapshot)
    }

    func confirm(_ draft: Draft) {
        change { state in
            state.isNew = false
            return state.entity.confirm(draft.snapshot, at: EditClock.tick())
        }
    }

    /// Makes it a datapoint of another datastream.
    func move(to scope: ModelScope) {
        core.scope.feedID = nil
        core.scope.datastreamID = nil
        core.scope.parent = scope
    }
}
