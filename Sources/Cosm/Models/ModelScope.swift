internal import HeliumConcurrency
internal import Synchronization

/// What a model has from those it belongs to: the API, and the ids that stand before its own in a path.
///
/// What it doesn't have itself it asks its parent's scope for. Scopes know no models, so a child may outlive its parent
/// and still reach the same server with the same key.
final class ModelScope: Sendable {
    private struct State: Sendable {
        var parent: ModelScope?
        var api: CosmAPI?
        var feedID: Feed.ID?
        var datastreamID: String?
    }

    private let state: Guarded<State>

    init(api: CosmAPI? = nil, feedID: Feed.ID? = nil, datastreamID: String? = nil, parent: ModelScope? = nil) {
        state = Guarded(State(parent: parent, api: api, feedID: feedID, datastreamID: datastreamID))
    }

    /// The object's own API, if it was given one.
    var ownAPI: CosmAPI? {
        get { state.withLock { $0.api } }
        set { state.withLock { $0.api = newValue } }
    }

    /// The feed's id: its own or its parent's.
    var feedID: Feed.ID? {
        get { found(\.feedID) }
        set { state.withLock { $0.feedID = newValue } }
    }

    /// The datastream's id: its own or its parent's.
    var datastreamID: String? {
        get { found(\.datastreamID) }
        set { state.withLock { $0.datastreamID = newValue } }
    }

    /// Whom to ask for what is not here.
    var parent: ModelScope? {
        get { state.withLock { $0.parent } }
        set {
            // A circle would be asked without end.
            if let newValue, newValue.isBelow(self) { return }
            state.withLock { $0.parent = newValue }
        }
    }

    /// The API: its own, its parent's, or the default one.
    ///
    /// - Throws: ``CosmAPI`` says what, where there is none at all.
    func api() throws -> CosmAPI { try found(\.api) ?? CosmAPI.default }

    // One lock at a time: who holds two in some order waits for who holds them in the other.
    private func found<Value: Sendable>(_ path: KeyPath<State, Value?>) -> Value? {
        var next: ModelScope? = self
        while let scope = next {
            let (value, parent) = scope.state.withLock { ($0[keyPath: path], $0.parent) }
            if let value { return value }
            next = parent
        }
        return nil
    }

    private func isBelow(_ other: ModelScope) -> Bool {
        var next: ModelScope? = self
        while let scope = next {
            if scope === other { return true }
            next = scope.parent
        }
        return false
    }
}
