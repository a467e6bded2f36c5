internal import HeliumConcurrency
internal import HeliumCore
public import HeliumJSON
public import HeliumKit
public import Observation
internal import Synchronization

/// A page of a list of feeds as models (LibCOSM's `COSMFeedCollection`).
///
/// ```swift
/// let feeds = FeedCollection()
/// feeds.useParameter("q", withValue: "temperature")
/// try await feeds.fetch()
/// for feed in feeds.feeds { print(feed.title ?? "") }
/// ```
///
/// Fetching again keeps the models of feeds that are in both lists and updates them in place.
public final class FeedCollection: Observable, Sendable {
    private struct State: Sendable {
        var page = FeedPage()
        /// The number of the request of the page.
        var pageNumber: UInt64 = 0
        var parameters: [String: ParameterValue] = [:]
        var delegate: DelegateRelay?
    }

    let scope: ModelScope
    let list = ModelList<FeedModel>()
    private let broadcast = ModelEvents.broadcast()
    private let state = Guarded(State())
    private let registrar = ObservationRegistrar()

    /// Creates an empty collection.
    ///
    /// - Parameter api: The API of the collection and its feeds; `nil` for ``CosmClient/default``.
    public init(api: CosmClient? = nil) { scope = ModelScope(api: api) }

    /// The models in the server's order, followed by those that the list does not contain.
    public var feeds: [FeedModel] {
        registrar.access(self, keyPath: \.feeds)
        return list.all
    }

    /// Returns the feed with an id; `nil` if there is none.
    public subscript(id: Feed.ID) -> FeedModel? {
        registrar.access(self, keyPath: \.feeds)
        return list.model(id: id)
    }

    /// The page as JSON without its `results`: `totalResults`, `startIndex`, `itemsPerPage`
    /// (Docs/Protocols/Cosm.md §2.7).
    public var info: JSONObject {
        var page = page
        page.results = []
        var info = (try? EntityJSON.object(of: page)) ?? JSONObject()
        info.removeValue(named: "results")
        return info
    }

    /// The number of feeds in the whole list; `nil` before the first fetch, and if the server does not state it.
    public var totalResults: Int? { page.totalResults }

    /// The number of feeds before this page; `nil` if it is unknown.
    public var startIndex: Int? { page.startIndex }

    /// The maximum number of feeds of a page; `nil` if it is unknown.
    public var itemsPerPage: Int? { page.itemsPerPage }

    /// The API of the collection and its feeds; `nil` for ``CosmClient/default``.
    public var api: CosmClient? {
        get { scope.ownAPI }
        set { scope.ownAPI = newValue }
    }

    /// The events of the collection from now on: fetches and their failures.
    public var events: ModelEvents { ModelEvents(broadcast) }

    var delegateRelay: DelegateRelay? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    private var page: FeedPage {
        registrar.access(self, keyPath: \.info)
        return state.withLock { $0.page }
    }
}

// MARK: Changing

extension FeedCollection {
    /// Sets a query parameter of later fetches, such as `per_page` (Docs/Protocols/Cosm.md §3.1). Parameters stay until
    /// they are reset.
    ///
    /// - Parameters:
    ///   - name: The parameter's name in the query.
    ///   - value: Its value; `nil` changes nothing.
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        guard let value = value?.parameterValue else { return }
        state.withLock { $0.parameters[name] = value }
    }

    /// Removes all parameters.
    public func resetParameters() { state.withLock { $0.parameters = [:] } }

    /// Adds a feed. It uses the collection's API unless it has its own.
    public func add(_ feed: FeedModel) {
        guard list.add(feed) else { return }
        feed.core.scope.parent = scope
        notify()
    }

    /// Removes a feed from the collection, but not from the server: see ``FeedModel/delete()``.
    public func remove(_ feed: FeedModel) {
        if list.remove(feed) { notify() }
    }

    /// Removes the feeds that were deleted on the server from the collection.
    public func removeDeleted() {
        if !list.removeDeleted().isEmpty { notify() }
    }

    private func notify() { registrar.withMutation(of: self, keyPath: \.feeds) {} }
}

// MARK: Fetching

extension FeedCollection {
    /// Fetches the page that the parameters select: `GET /feeds`.
    ///
    /// The page replaces the previous one. Feeds that are new or have unsaved changes are kept and come last. If two
    /// fetches overlap, the page that was requested last is used, whichever arrives first.
    ///
    /// - Returns: The changes.
    /// - Throws: The errors of the API.
    @discardableResult
    public func fetch() async throws -> ModelChanges {
        do {
            let parameters = state.withLock { $0.parameters }
            let context = DocumentContext(parameters: parameters)
            let page = try await ModelRequests(api: try scope.api()).feeds(parameters)
            let changes = absorb(page, context)
            broadcast.send(ModelEvent(.fetched, changes: changes))
            return changes
        } catch {
            broadcast.send(ModelEvent(.fetchFailed, error: error))
            throw error
        }
    }

    private func absorb(_ page: FeedPage, _ context: DocumentContext) -> ModelChanges {
        var envelope = page
        envelope.results = []
        state.withLock { state in
            // A page that was requested earlier does not describe the models.
            guard context.askedAt >= state.pageNumber else { return }
            (state.page, state.pageNumber) = (envelope, context.askedAt)
        }
        // A feed that cannot be read is not removed from the collection.
        let found = list.merge(
            page.results,
            context,
            isComplete: true,
            unreadable: page.unreadable.completeIDs.map { ids in Set(ids.map { Feed.ID($0) }) },
            parent: scope
        )
        registrar.withMutation(of: self, keyPath: \.info) {}
        if found.isOfMembership { notify() }
        var changes = ModelChanges()
        changes.add(found)
        return changes
    }
}
