internal import HeliumConcurrency
internal import HeliumServerKit
internal import Synchronization

/// Inspects and changes the middleware while the server runs, for tests and demonstrations.
public struct MiddlewareControl: Sendable {
    let state: MiddlewareState

    /// Returns the number of registered devices.
    ///
    /// - Throws: The store's error if its file fails.
    public func deviceCount() async throws -> Int { try await state.store.deviceCount() }

    /// The number of devices registered since the server started, including deleted ones.
    public var registrations: Int { state.values.withLock { $0.registrations } }

    /// Deletes a device. Its next request is rejected with 401 `DeviceIdInvalid`.
    ///
    /// - Returns: Whether the device existed.
    /// - Throws: The store's error if its file fails.
    @discardableResult
    public func forgetDevice(_ id: String) async throws -> Bool { try await state.store.removeDevice(id) }

    /// Deletes all devices and returns their number.
    ///
    /// - Throws: The store's error if its file fails.
    @discardableResult
    public func forgetAllDevices() async throws -> Int { try await state.store.removeDevices { _ in true } }

    /// Deletes the devices that the reference server's periodic clean-up deletes (Docs/Protocols/Middleware.md §3.1):
    /// those inactive for an hour, and those unused for 365 days, by the server's clock. Returns their number.
    ///
    /// - Throws: The store's error if its file fails.
    @discardableResult
    public func deleteExpiredDevices() async throws -> Int {
        let now = state.now(ActiveFaults())
        return try await state.store.removeDevices { $0.isExpired(at: now) }
    }

    /// Disables a device, so that its requests are rejected with 403 `TemporaryDisabled`, or makes it active again.
    ///
    /// - Returns: Whether the device exists.
    /// - Throws: The store's error if its file fails.
    @discardableResult
    public func setDevice(_ id: String, isEnabled: Bool) async throws -> Bool {
        let changed = try await state.store.updateDevice(id, maximum: state.configuration.maximumDevices) { device in
            device.status = isEnabled ? .active : .disabled
            device.client = ""
        }
        return changed != nil
    }

    /// Disables a secret, so that its keys are rejected with 401 `KeyInvalid`, or enables it again.
    ///
    /// - Returns: Whether the secret exists.
    @discardableResult
    public func setSecret(_ id: String, isEnabled: Bool) -> Bool {
        state.values.withLock { values in
            guard let index = values.secrets.firstIndex(where: { $0.id == id }) else { return false }
            values.secrets[index].isEnabled = isEnabled
            return true
        }
    }

    /// Sets the offset of the server's clock. A negative offset makes it slow. The offset applies until it is set
    /// again.
    public func setClockOffset(_ offset: Duration) {
        let milliseconds = ActiveFaults(effects: [.clockOffset(offset)]).clockOffset
        state.values.withLock { $0.clockOffset = milliseconds }
    }
}

extension MiddlewareControl: CustomReflectable {
    /// No children, because the state of the server has the tokens and keys of clients.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
