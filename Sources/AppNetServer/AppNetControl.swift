internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Looks into App.net and changes it while the server runs (§8 item 13): for tests and demonstrations. Forced statuses,
/// delays, broken documents and cut connections are ``FaultControl``'s.
public struct AppNetControl: Sendable {
    let state: AppNetState
    let live: LiveServer

    /// What a token's refusals say from now on (§1.5).
    public enum TokenState: Sendable {
        /// The token is accepted.
        case active
        /// 401 `not-authorized`: the user took it back.
        case revoked
        /// 401 `token-expired`.
        case expired
    }

    /// Sets what a token is from now on. Nothing happens for a token that nobody was given.
    ///
    /// - Throws: the store's error where it cannot be written.
    public func setToken(_ token: String, _ tokenState: TokenState) async throws {
        let stored: AppNetToken.State =
            switch tokenState {
            case .active: .active
            case .revoked: .revoked
            case .expired: .expired
            }
        _ = try await state.store.write { database in
            let table = AppNetTokenTable(database: database)
            guard let found = try table.token(token) else { return [AppNetEvent]() }
            try table.setState(stored, of: found.id)
            guard stored != .active else { return [] }
            return [AppNetEvent(kind: .token, object: found.id, actor: found.user, isDeleted: true)]
        } publish: { [state] events, database in
            state.events.publish(events, state: state, database: database)
        }
    }

    /// How many user streams there are, with a connection or waiting for one (§2.14).
    public var userStreamCount: Int { state.events.userStreams.counts.streams }

    /// How many user streams have a connection.
    public var connectedUserStreamCount: Int { state.events.userStreams.counts.connected }

    /// How many subscriptions user streams have.
    public var subscriptionCount: Int { state.events.userStreams.counts.subscriptions }

    /// How many app streams are being consumed (§2.13).
    public var connectedAppStreamCount: Int { state.events.appStreams.connected }

    /// Closes the connections of all user streams and app streams without a word, as a broken network does. The streams
    /// stay, and can be resumed.
    public func dropStreams() {
        state.events.userStreams.dropConnections()
        state.events.appStreams.dropConnections()
    }

    /// Deletes all user streams and closes their connections, as if their time was over: nothing can be resumed.
    public func expireUserStreams() { state.events.userStreams.deleteAll { _ in true } }

    /// Ends the connections of the next `count` frames of any stream in the middle of them. The frames are kept for
    /// those that come back.
    public func cutNextFrames(_ count: Int = 1) { state.events.faults.cutNext(count) }

    /// Sends the next `count` frames of any stream twice.
    public func duplicateNextFrames(_ count: Int = 1) { state.events.faults.duplicateNext(count) }

    /// Sets the server's clock off by `offset` (negative: behind) until it is set anew.
    public func setClockOffset(_ offset: Duration) {
        let milliseconds = ActiveFaults(effects: [.clockOffset(offset)]).clockOffset
        state.values.withLock { $0.clockOffset = milliseconds / 1000 }
    }

    /// Answers every request with 429, or goes back to counting.
    public func setRateLimitExhausted(_ isExhausted: Bool) {
        state.values.withLock { $0.isExhausted = isExhausted }
    }
}
