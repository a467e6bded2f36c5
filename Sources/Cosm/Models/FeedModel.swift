public import HeliumJSON
public import HeliumKit
internal import Observation
internal import Synchronization

/// An observable object that mirrors a feed (LibCOSM's `COSMFeedModel`).
///
/// ```swift
/// let feed = FeedModel(id: 504)
/// try await feed.fetch()
/// feed.title = "Shed"
/// feed.datastreams.add(Datastream(id: "temp", currentValue: 20.5))
/// try await feed.save()
/// ```
///
/// The members of ``Feed`` are properties of the model as well (`feed.title`, `feed.location?.latitude`). Members that
/// the server ignores can be set, but are not sent, and the next fetch overwrites them.
@dynamicMemberLookup
public final class FeedModel: CosmSubscribable, EntityHolder {
    let core: ModelCore<Feed>

    /// The feed's datastreams.
    public let datastreams: DatastreamCollection

    /// Creates a model of a feed that was not read from the server. Without an id it is new.
    ///
    /// - Parameters:
    ///   - feed: The feed. Its members are unsaved, and its datastreams become new models.
    ///   - api: The API of this feed and its children; `nil` for ``CosmClient/default``.
    public convenience init(_ feed: Feed = Feed(id: nil), api: CosmClient? = nil) {
        self.init(feed, knownSince: nil, scope: ModelScope(api: api, feedID: feed.id))
        for datastream in feed.datastreams ?? [] { datastreams.add(datastream) }
    }

    /// Creates a model of a feed that exists on the server. Its members are unknown until it is fetched or updated.
    public convenience init(id: Feed.ID, api: CosmClient? = nil) { self.init(Feed(id: id), api: api) }

    convenience init(known feed: Feed, _ context: DocumentContext, parent: ModelScope) {
        self.init(feed, knownSince: context.askedAt, scope: ModelScope(feedID: feed.id, parent: parent))
        if let children = feed.datastreams { _ = datastreams.merge(children, context) }
    }

    private init(_ feed: Feed, knownSince number: UInt64?, scope: ModelScope) {
        core = ModelCore(feed, knownSince: number, isNew: feed.id == nil, scope: scope)
        datastreams = DatastreamCollection(parent: scope)
        datastreams.feed = self
    }

    /// Accesses a member of the feed.
    public subscript<Value: Hashable & Sendable>(dynamicMember path: WritableKeyPath<Feed, Value>) -> Value {
        get { read(path) }
        set { edit(path, to: newValue) }
    }
}

// MARK: Members

extension FeedModel {
    /// The current feed without its datastreams, including unsaved changes.
    public var feed: Feed {
        core.registrar.access(self, keyPath: \.info)
        return entity
    }

    /// The feed as JSON, without `datastreams`. See ``CosmModel/info``.
    public var info: JSONObject {
        get { readInfo() }
        set { editInfo(newValue) }
    }

    /// Accesses a member by its name in JSON. Setting it counts as a change even if the value is the same.
    public subscript(member name: String) -> JSONValue? {
        get { info[name] }
        set { editMember(name, to: newValue) }
    }

    /// Whether the feed has no id yet. The next save creates it.
    public var isNew: Bool { readIsNew() }

    /// Whether the feed was deleted on the server.
    public var isDeleted: Bool {
        get { readIsDeleted() }
        set { setDeleted(newValue) }
    }

    /// The names of the members that the next save sends.
    public var unsavedMembers: Set<String> { readUnsavedMembers() }

    /// The API of this feed and its children; `nil` to use that of its collection, or else ``CosmClient/default``.
    public var api: CosmClient? {
        get { core.scope.ownAPI }
        set { core.scope.ownAPI = newValue }
    }

    /// The events of the feed from now on.
    public var events: ModelEvents { ModelEvents(core.events) }

    /// Changes several members at once. Observers and saves see all of the changes or none.
    ///
    /// - Parameter change: Changes a copy. The members that differ afterwards are applied, except the datastreams.
    public func update<Failure: Error>(_ change: (inout Feed) throws(Failure) -> Void) throws(Failure) {
        try editAll(change)
    }

    /// Resets the members with unsaved changes to the last known values of the server.
    public func discardChanges() { discardEdits() }

    /// Sets a query parameter of later fetches, such as `datastreams` (Docs/Protocols/Cosm.md §3.2) or `duration` (§4).
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        setParameter(name, to: value)
    }

    /// Removes all parameters.
    public func resetParameters() { removeParameters() }

    func entityDidChange() {
        let id = entity.id
        core.scope.feedID = id
        if core.state.withLock({ $0.isNew }) != (id == nil) { setNew(id == nil) }
    }
}

// MARK: Requests

extension FeedModel {
    /// Fetches the feed with its owner: `GET /feeds/{id}`. Without parameters it includes all datastreams.
    ///
    /// - Returns: The changes.
    /// - Throws: ``IncompleteModel/feedHasNoID``; the errors of the API.
    @discardableResult
    public func fetch() async throws -> ModelChanges {
        try await report(failure: .fetchFailed) {
            let id = try requiredID()
            var parameters = core.parameters
            parameters["show_user"] = .single("true")
            let context = DocumentContext(parameters: parameters)
            let document = try await requests().feed(id, parameters)
            let changes = absorb(document, context)
            core.events.send(ModelEvent(.fetched, changes: changes))
            return changes
        }
    }

    /// Creates the feed with its new datastreams, or sends its unsaved members and creates its new datastreams.
    ///
    /// It does not send datastreams that are not new, because the server may have newer values for them, and sends no
    /// datapoints. A datastream that is added while it waits for other saves is sent by the next one.
    ///
    /// - Throws: ``IncompleteModel/datastreamHasNoID``; the errors of the API.
    public func save() async throws {
        try await report(failure: .saveFailed) {
            _ = try newDatastreams()
            let changes = try await core.writes.withLock { try await saveNow() }
            core.events.send(ModelEvent(.saved, changes: changes))
        }
    }

    /// Deletes the feed with its datastreams and their datapoints: `DELETE /feeds/{id}`.
    ///
    /// - Throws: ``IncompleteModel/feedHasNoID``; the errors of the API.
    public func delete() async throws {
        try await report(failure: .deleteFailed) {
            _ = try requiredID()
            try await core.writes.withLock { try await requests().deleteFeed(try requiredID()) }
            setDeleted(true)
            for datastream in datastreams.list.all { datastream.setDeletedWithChildren() }
            await stopUpdates()
            core.events.send(ModelEvent(.deleted))
        }
    }

    private func saveNow() async throws -> ModelChanges {
        let locked = try newDatastreams()
        return try await AsyncLock.withLocks(locked.map(\.core.writes)) {
            // A datastream that was added since then may be saved by itself at this moment. The next save sends it.
            let members = Set(locked.map { ObjectIdentifier($0) })
            let children = try newDatastreams().filter { members.contains(ObjectIdentifier($0)) }
            let drafts = try children.map { try $0.draft() }
            let id = entity.id
            let draft = try core.state.withLock { $0.entity }.draft(isNew: id == nil)
            var body = draft.body
            if !drafts.isEmpty { body["datastreams"] = .array(drafts.map { .object($0.body) }) }
            var changes = ModelChanges()
            if let id {
                if !body.isEmpty { try await requests().updateFeed(id, body) }
                change { $0.entity.confirm(draft.snapshot, at: EditSequence.next()) }
            } else {
                let newID = try await requests().createFeed(body)
                change { state in
                    let changed = state.entity.confirm(draft.snapshot, at: EditSequence.next())
                    state.entity.assign { $0.id = newID }
                    return changed.union(["id"])
                }
                changes.members = ["id"]
            }
            for (child, draft) in zip(children, drafts) { child.confirmCreation(draft.snapshot) }
            changes.updatedChildren = children.compactMap(\.listID)
            return changes
        }
    }

    private func requests() throws -> ModelRequests { ModelRequests(api: try core.scope.api()) }

    private func requiredID() throws -> Feed.ID {
        guard let id = entity.id else { throw IncompleteModel.feedHasNoID }
        return id
    }

    private func newDatastreams() throws -> [DatastreamModel] {
        let new = datastreams.list.all.filter { $0.core.state.withLock { $0.isNew && !$0.isDeleted } }
        if new.contains(where: { $0.listID == nil }) { throw IncompleteModel.datastreamHasNoID }
        return new
    }
}

// MARK: Live updates

extension FeedModel {
    /// A Boolean value that indicates whether the model has a subscription that the server has confirmed.
    public var isSubscribed: Bool { readIsSubscribed() }

    /// Subscribes to `/feeds/{id}` and returns once the server has confirmed the subscription. Does nothing if the
    /// model is subscribed.
    ///
    /// - Parameter options: The updates to deliver beyond the server's pushes.
    /// - Throws: ``IncompleteModel/feedHasNoID``; the errors of ``CosmClient/subscribe(to:options:on:)``.
    public func subscribe(options: SubscriptionOptions) async throws {
        _ = try requiredID()
        try await keepUpdated { model in
            try await model.core.scope.api().subscribe(to: try model.requiredID(), options: options)
        } read: { model in
            try await model.requests().feed(try model.requiredID(), [:])
        }
    }

    /// Ends the subscription and returns once it has ended. Does nothing if the model is not subscribed.
    public func unsubscribe() async { await stopUpdates() }
}

// MARK: Pushed documents

extension FeedModel {
    func doubts(_ push: Feed) -> Bool {
        if core.state.withLock({ $0.entity.doubts(push) }) { return true }
        // A push of a feed that is too large has no datastreams (Docs/Protocols/Cosm.md §14.3).
        guard let streams = push.datastreams else { return false }
        let pushed = Self.byID(streams)
        if datastreams.list.hasDeparted(pushed.keys) { return true }
        let unreadable = push.unreadable.completeIDs
        return datastreams.list.all.contains { child in
            guard let id = child.listID else { return false }
            if let stream = pushed[id] { return child.doubts(stream) }
            guard let unreadable, !unreadable.contains(id) else { return false }
            return child.core.state.withLock { $0.entity.isUnseenCreation && !$0.isDeleted }
        }
    }

    func agree(_ push: Feed, with document: Feed, askedAt number: UInt64) {
        core.state.withLock { $0.entity.agree(push, with: document, askedAt: number) }
        let (pushed, read) = (Self.byID(push.datastreams ?? []), Self.byID(document.datastreams ?? []))
        for child in datastreams.list.all {
            guard let id = child.listID, let one = pushed[id], let other = read[id] else { continue }
            child.agree(one, with: other, askedAt: number)
        }
    }

    private static func byID(_ streams: [Datastream]) -> [String: Datastream] {
        Dictionary(streams.compactMap { stream in stream.id.map { ($0, stream) } }) { $1 }
    }
}

// MARK: Membership in a collection

extension FeedModel {
    static func listID(of entity: Feed) -> Feed.ID? { entity.id }

    func absorb(_ document: Feed, _ context: DocumentContext) -> ModelChanges {
        var feed = document
        feed.removeChildren()
        feed.unreadable = UnreadableItems()
        var changes = ModelChanges()
        changes.members = merge(feed, askedAt: context.askedAt)
        // Summaries have no member `datastreams`, nor do some servers' documents of a feed without any
        // (Docs/Protocols/Cosm.md §10).
        if let children = document.datastreams {
            // A datastream that cannot be read is not removed from the collection.
            changes.add(datastreams.merge(children, context, unreadable: document.unreadable.completeIDs))
        }
        return changes
    }

    func mustStay(since number: UInt64) -> Bool {
        hasUnsavedWork || isNewer(than: number) || datastreams.list.all.contains { $0.mustStay(since: number) }
    }
}
