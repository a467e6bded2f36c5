public import HeliumKit
public import ServiceLifecycle

/// A client as a service. It is open while its service group runs, and is closed when the group shuts down.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [HeliumService(helium, drainLimit: .seconds(10)), server],
///     gracefulShutdownSignals: [.sigterm],
///     logger: logger
/// )
/// try await group.run()
/// ```
/// Services are shut down in reverse order of the list, so put the client before the services that use it.
public final class HeliumService: Service {
    /// The client. It can be used before ``run()`` too.
    public let helium: Helium

    /// The time in which calls in flight may end after a graceful shutdown has begun.
    public let drainLimit: Duration

    /// Creates a service for a client, which it closes at the end.
    ///
    /// - Parameters:
    ///   - helium: The client.
    ///   - drainLimit: The time in which calls in flight may end after a graceful shutdown has begun. Calls that have
    ///     not ended then fail with `clientClosed`. Default: 10 seconds. Keep it below the time that the platform gives
    ///     a process to end.
    public init(_ helium: Helium, drainLimit: Duration = .seconds(10)) {
        self.helium = helium
        self.drainLimit = drainLimit
    }

    /// Waits until the service group shuts down gracefully, lets the calls in flight end within ``drainLimit``, and
    /// closes the client. If its task is cancelled, also while calls are drained, it closes the client at once.
    ///
    /// Returns when the client's connections and thread have ended. Both are a normal end, so it throws no error.
    public func run() async {
        do {
            try await gracefulShutdown()
        } catch {
            return await helium.close()
        }
        await helium.close(drainingFor: drainLimit)
    }
}
