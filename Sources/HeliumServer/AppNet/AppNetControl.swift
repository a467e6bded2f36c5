internal import HeliumConcurrency
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
