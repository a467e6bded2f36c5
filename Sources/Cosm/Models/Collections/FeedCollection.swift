internal import HeliumConcurrency
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
/// Fetching again keeps the models of feeds that are in both lists and changes them in place.
public final class FeedCollection: Observable, Sendable {
    private struct State: Sendable {
        var page = FeedPage()
        var parameters: [String: ParameterValue] = [:]
        var delegate: DelegateRelay?
    }

    let scope: ModelScope
    let list = ModelList<FeedModel>()
    private let broadcast = ModelEvents.broadcast()
    private let state = Guarded(State())
    private let registrar = ObservationRegistrar()

    /// A collection that knows no feeds yet.
    ///
    /// - Parameter api: The API of the collection and all its feeds; `nil` for ``CosmAPI/default``.
    public init(api: CosmAPI? = nil) { scope = ModelScope(api: api) }

    /// The models, in the server's order; what is not there yet comes last.
    public var feeds: [FeedModel] {
        registrar.access(self, keyPath: \.feeds)
        return list.all
    }

    /// The feed with that id.
    public subscript(id: Feed.ID) -> FeedModel? {
        registrar.access(self, keyPath: \.feeds)
        return list.model(id: id)
    }

    /// The JSON of the page without its `results`: `totalResults`, `startIndex`, `itemsPerPage` (§2.7).
    public var info: JSONObject {
        var page = page
        page.results = []
        var info = (try? EntityJSON.object(of: page)) ?? JSONObject()
        info.removeValue(named: "results")
        return info
    }

    /// How many feeds the list has at the server; `nil` before the first fetch, and where it didn't say.
    public var totalResults: Int? { page.totalResults }

    /// How many feeds come before this page.
    public var startIndex: Int? { page.startIndex }

    /// How many feeds a page has at most.
    public var itemsPerPage: Int? { page.itemsPerPage }

    /// The API of the collection and all its feeds; `nil` for ``CosmAPI/default``.
    public var api: CosmAPI? {
        get { scope.ownAPI }
        set { scope.ownAPI = newValue }
    }

    /// What happens to the collection from now on: fetches and their failures.
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
    /// Sets a parameter of later fetches, such as `per_page` (§3.1). Parameters stay until they are reset.
    ///
    /// - Parameters:
    ///   - name: The parameter's name in the query.
    ///   - value: Its value; `nil` changes nothing.
    public func useParameter(_ name: String, withValue value: (any ParameterConvertible)?) {
        guard let value = value?.parameterValue else { return }
        state.withLock { $0.parameters[name] = value }
    }

    /// Forgets all parameters.
    public func resetParameters() { state.withLock { $0.parameters = [:] } }

    /// Adds a feed, which then uses the collection's API unless it has one of its own.
    public func add(_ feed: FeedModel) {
        guard list.add(feed) else { return }
        feed.core.scope.parent = scope
        notify()
    }

    /// Takes a feed out of the collection. The server is not asked: see ``FeedModel/delete()``.
    public func remove(_ feed: FeedModel) {
        if list.remove(feed) { notify() }
    }

    /// Takes out the feeds that were deleted on the server.
    public func removeDeleted() {
        if !list.removeDeleted().isEmpty { notify() }
    }

    private func notify() { registrar.withMutation(of: self, keyPath: \.feeds) {} }
}

// MARK: Fetching

extension FeedCollection {
    /// Fetches the page that the parameters ask for: `GET /feeds`.
    ///
    /// It takes the place of the one before, but for feeds that are new or have unsaved changes, which come last then.
    ///
    /// - Returns: What became different.
    /// - Throws: What the API throws.
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
        state.withLock { $0.page = envelope }
        let found = list.merge(page.results, context, isComplete: true, parent: scope)
        registrar.withMutation(of: self, keyPath: \.info) {}
        if found.isOfMembership { notify() }
        var changes = ModelChanges()
        changes.add(found)
        return changes
    }
}
