internal import HeliumConcurrency
internal import Synchronization

/// The inherited settings of a model: the API and the ids that precede its own in a path.
///
/// A scope asks its parent for settings that it does not have. Scopes do not refer to models, so a child can outlive
/// its parent and still use the same server and key.
final class ModelScope: Sendable {
    private struct State: Sendable {
        var parent: ModelScope?
        var api: CosmClient?
        var feedID: Feed.ID?
        var datastreamID: String?
    }

    private let state: Guarded<State>

    init(api: CosmClient? = nil, feedID: Feed.ID? = nil, datastreamID: String? = nil, parent: ModelScope? = nil) {
        state = Guarded(State(parent: parent, api: api, feedID: feedID, datastreamID: datastreamID))
    }

    /// The object's own API; `nil` if it has none.
    var ownAPI: CosmClient? {
        get { state.withLock { $0.api } }
        set { state.withLock { $0.api = newValue } }
    }

    /// The feed's id: its own or that of its parent.
    var feedID: Feed.ID? {
        get { found(\.feedID) }
        set { state.withLock { $0.feedID = newValue } }
    }

    /// The datastream's id: its own or that of its parent.
    var datastreamID: String? {
        get { found(\.datastreamID) }
        set { state.withLock { $0.datastreamID = newValue } }
    }

    /// The scope that provides the settings that are missing here.
    var parent: ModelScope? {
        get { state.withLock { $0.parent } }
        set {
            // A cycle would make the lookup endless.
            if let newValue, newValue.isBelow(self) { return }
            state.withLock { $0.parent = newValue }
        }
    }

    /// Returns the API: its own, that of its parent, or the default API.
    ///
    /// - Throws: ``CosmError`` if there is no API at all.
    func api() throws -> CosmClient { try found(\.api) ?? CosmClient.default }

    // It takes one lock at a time. Two scopes that hold each other's lock would deadlock.
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
