internal import HeliumCore

/// The device of a client of the middleware. Requests register and update it automatically; these methods do so
/// explicitly.
public struct Device: Sendable {
    let registrar: DeviceRegistrar
    let clock: any HeliumClock

    /// Returns this client's registration, or `nil` if the device is not registered. Reads the store if it was not read
    /// yet, and sends no request.
    ///
    /// - Throws: `tokenStoreFailed`; `CancellationError` if the task was cancelled while the store was read.
    public func registration() async throws -> DeviceRegistration? { try await registrar.known() }

    /// Registers the device if it is not registered, and updates a changed description.
    ///
    /// - Parameter limit: The maximum time to wait. Default: 60 seconds.
    /// - Throws: `HeliumError`; `CancellationError`.
    @discardableResult
    public func register(within limit: Duration = .seconds(60)) async throws -> DeviceRegistration {
        try await bounded(limit) { try await registrar.ensureRegistered(within: $0) }
    }

    /// Sends the description to the server even if it has not changed. Registers the device if it is not registered.
    ///
    /// - Parameter limit: The maximum time to wait. Default: 60 seconds.
    /// - Throws: `HeliumError`; `CancellationError`.
    @discardableResult
    public func update(within limit: Duration = .seconds(60)) async throws -> DeviceRegistration {
        try await bounded(limit) { try await registrar.forceUpdate(within: $0) }
    }

    /// Deletes the device's registration from this client and its store. The next request registers a new device. The
    /// server deletes the old one when it has not been used for a year (Docs/Protocols/Middleware.md §3.1).
    ///
    /// A registration in progress is ended, and the calls that wait for it begin another one. If another process that
    /// shares the store registers a device first, that one is used. The deletion is completed even if the task is
    /// cancelled.
    ///
    /// - Throws: `tokenStoreFailed`.
    public func forget() async throws { try await registrar.forget() }

    private func bounded(
        _ limit: Duration,
        _ work: @escaping @Sendable (Deadline) async throws -> DeviceRegistration
    ) async throws -> DeviceRegistration {
        let deadline = Deadline(after: limit, clock: clock)
        do {
            return try await deadline.race { try await work(deadline) }
        } catch is DeadlineExceeded {
            throw registrar.timedOutError(after: limit)
        }
    }
}
