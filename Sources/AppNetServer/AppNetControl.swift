internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Reads and changes App.net's state while the server runs, for tests and demonstrations (Docs/Protocols/AppNet.md §8).
/// Use ``FaultControl`` for forced statuses, delays, broken documents and cut connections.
public struct AppNetControl: Sendable {
    let state: AppNetState
    let live: LiveServer

    /// The validity of a token, and the error for its requests (Docs/Protocols/AppNet.md §1.5).
    public enum TokenState: Sendable {
        /// The token is valid.
        case active
        /// The response is 401 `not-authorized`: the user revoked the token.
        case revoked
        /// The response is 401 `token-expired`.
        case expired
    }

    /// Sets the validity of a token. Has no effect on an unknown token.
    ///
    /// - Throws: The store's error if the change cannot be written.
    public func setToken(_ token: String, _ tokenState: TokenState) async throws {
        let stored: AppNetToken.State =
            switch tokenState {
            case .active: .active
            case .revoked: .revoked
            case .expired: .expired
            }
        _ = try await state.store.write { database -> AppNetToken? in
            let table = AppNetTokenTable(database: database)
            guard let found = try table.token(token) else { return nil }
            try table.setState(stored, of: found.id)
            return found
        } publish: { [state] token, database in
            guard let token else { return }
            guard stored != .active else { return state.events.endedTokens.remove(token.id) }
            var effects = AppNetEffects()
            effects.append(AppNetEvent(kind: .token, object: token.id, actor: token.user, isDeleted: true))
            state.events.publish(effects, state: state, database: database)
        }
    }

    /// The number of user streams, with or without a connection (Docs/Protocols/AppNet.md §2.14).
    public var userStreamCount: Int { state.events.userStreams.counts.streams }

    /// The number of user streams with a connection.
    public var connectedUserStreamCount: Int { state.events.userStreams.counts.connected }

    /// The number of subscriptions of user streams.
    public var subscriptionCount: Int { state.events.userStreams.counts.subscriptions }

    /// The number of app streams with a connection (Docs/Protocols/AppNet.md §2.13).
    public var connectedAppStreamCount: Int { state.events.appStreams.connected }

    /// Closes the connections of all user streams and app streams without a close message, as a network failure does.
    /// The streams are kept and can be resumed.
    public func dropStreams() {
        state.events.userStreams.dropConnections()
        state.events.appStreams.dropConnections()
    }

    /// Deletes all user streams and closes their connections, as if they had expired. They cannot be resumed.
    public func expireUserStreams() { state.events.userStreams.deleteAll { _ in true } }

    /// Closes the connections of the next `count` frames of any stream in the middle of the frame. The frames are kept
    /// for streams that are resumed.
    public func cutNextFrames(_ count: Int = 1) { state.events.faults.cutNext(count) }

    /// Sends the next `count` frames of any stream twice.
    public func duplicateNextFrames(_ count: Int = 1) { state.events.faults.duplicateNext(count) }

    /// Sets the offset of the server's clock. A negative offset sets it back. It applies until it is set again.
    public func setClockOffset(_ offset: Duration) {
        let milliseconds = ActiveFaults(effects: [.clockOffset(offset)]).clockOffset
        state.values.withLock { $0.clockOffset = milliseconds / 1000 }
    }

    /// Turns 429 responses to all requests on, or returns to normal counting.
    public func setRateLimitExhausted(_ isExhausted: Bool) {
        state.values.withLock { $0.isExhausted = isExhausted }
    }
}

extension AppNetControl: CustomReflectable {
    /// No children, because the state of the server has the tokens and keys of clients.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
