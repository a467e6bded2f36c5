public import HeliumKit
public import ServiceLifecycle

/// A client as a service: it is there while its service group runs, and is closed when that shuts down.
///
/// ```swift
/// let group = ServiceGroup(
///     services: [HeliumService(helium, drainLimit: .seconds(10)), server],
///     gracefulShutdownSignals: [.sigterm],
///     logger: logger
/// )
/// try await group.run()
/// ```
/// Services are shut down in the opposite order of their list: put the client before those who use it.
public final class HeliumService: Service {
    /// The client. It works before ``run()`` too.
    public let helium: Helium

    /// How long calls in flight may take to end after a graceful shutdown has begun.
    public let drainLimit: Duration

    /// A service around a client, which it closes in the end.
    ///
    /// - Parameters:
    ///   - helium: The client.
    ///   - drainLimit: How long calls in flight may take to end after a graceful shutdown has begun; what is left then
    ///     fails with `clientClosed`. Default: 10 seconds. Keep it below what the platform grants a process to end.
    public init(_ helium: Helium, drainLimit: Duration = .seconds(10)) {
        self.helium = helium
        self.drainLimit = drainLimit
    }

    /// Waits until the service group shuts down gracefully, lets the calls in flight end within ``drainLimit``, and closes
    /// the client. Where its task is cancelled, also while calls are drained, it closes the client at once.
    ///
    /// Returns when the client's connections and thread are gone. Both are a normal end: it throws nothing.
    public func run() async {
        do {
            try await gracefulShutdown()
        } catch {
            return await helium.close()
        }
        await helium.close(drainingFor: drainLimit)
    }
}
