internal import HeliumCore

/// The device of a client of the middleware: what requests do by themselves, on demand.
public struct Device: Sendable {
    let registrar: DeviceRegistrar
    let clock: any HeliumClock

    /// What this client knows of its registration; reads the store if it was not read yet, and asks no server.
    ///
    /// - Throws: `tokenStoreFailed`.
    public func registration() async throws -> DeviceRegistration? { try await registrar.known() }

    /// Registers the device unless it is registered already, and updates a changed description.
    ///
    /// - Parameter limit: The longest to wait. Default: 60 seconds.
    /// - Throws: `HeliumError`; `CancellationError`.
    @discardableResult
    public func register(within limit: Duration = .seconds(60)) async throws -> DeviceRegistration {
        try await bounded(limit) { try await registrar.ensureRegistered(within: $0) }
    }

    /// Sends the description to the server, changed or not; registers if there is no device yet.
    ///
    /// - Parameter limit: The longest to wait. Default: 60 seconds.
    /// - Throws: `HeliumError`; `CancellationError`.
    @discardableResult
    public func update(within limit: Duration = .seconds(60)) async throws -> DeviceRegistration {
        try await bounded(limit) { try await registrar.forceUpdate(within: $0) }
    }

    /// Forgets the device here: the next request registers a new one. The server drops the old one when it has not
    /// been used for a year (middleware.md section 3.1).
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
            throw registrar.timedOut(after: limit)
        }
    }
}
