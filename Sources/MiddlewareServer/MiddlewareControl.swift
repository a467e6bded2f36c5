internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Looks into the middleware and changes it while the server runs: for tests and demonstrations.
public struct MiddlewareControl: Sendable {
    let state: MiddlewareState

    /// How many devices are registered.
    ///
    /// - Throws: what the store throws where its file fails.
    public func deviceCount() async throws -> Int { try await state.store.deviceCount() }

    /// How many devices were registered since the server started, the forgotten ones included.
    public var registrations: Int { state.values.withLock { $0.registrations } }

    /// Forgets a device: its next request is answered with 401 `DeviceIdInvalid`.
    ///
    /// - Returns: whether there was one.
    /// - Throws: what the store throws where its file fails.
    @discardableResult
    public func forgetDevice(_ id: String) async throws -> Bool { try await state.store.removeDevice(id) }

    /// Forgets all devices and tells how many those were.
    ///
    /// - Throws: what the store throws where its file fails.
    @discardableResult
    public func forgetAllDevices() async throws -> Int { try await state.store.removeDevices { _ in true } }

    /// Deletes what the reference's periodic work deletes (§3.1): devices inactive for an hour, and devices unused
    /// for 365 days, by the server's clock. Tells how many those were.
    ///
    /// - Throws: what the store throws where its file fails.
    @discardableResult
    public func deleteExpiredDevices() async throws -> Int {
        let now = state.now(ActiveFaults())
        return try await state.store.removeDevices { $0.isExpired(at: now) }
    }

    /// Disables a device (its requests are answered with 403 `TemporaryDisabled`), or makes it active again.
    ///
    /// - Returns: whether there is one.
    /// - Throws: what the store throws where its file fails.
    @discardableResult
    public func setDevice(_ id: String, isEnabled: Bool) async throws -> Bool {
        try await state.store.updateDevice(id) { $0.status = isEnabled ? .active : .disabled } != nil
    }

    /// Disables a secret (keys made with it are answered with 401 `KeyInvalid`), or enables it again.
    ///
    /// - Returns: whether there is one.
    @discardableResult
    public func setSecret(_ id: String, isEnabled: Bool) -> Bool {
        state.values.withLock { values in
            guard let index = values.secrets.firstIndex(where: { $0.id == id }) else { return false }
            values.secrets[index].isEnabled = isEnabled
            return true
        }
    }

    /// Sets the server's clock off by `offset` (negative: behind) until it is set anew.
    public func setClockOffset(_ offset: Duration) {
        let milliseconds = ActiveFaults(effects: [.clockOffset(offset)]).clockOffset
        state.values.withLock { $0.clockOffset = milliseconds }
    }
}
