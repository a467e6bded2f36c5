internal import HeliumConcurrency
internal import HeliumDatabase
package import Logging
public import ServiceLifecycle
internal import Synchronization

/// A local server that speaks the protocols of Helium's clients. For tests, demonstrations and development; not for the open
/// internet.
///
/// It is written from the protocol pages without the clients' code, so that each checks the other.
///
/// ```swift
/// let server = try EmbeddedServer(EmbeddedServerConfiguration())
/// try await withThrowingTaskGroup { group in
///     group.addTask { try await server.run() }
///     let ready = try await server.ready()
///     print(ready.middleware.base, ready.cosm.base)  // base URLs for clients
///     group.cancelAll()
/// }
/// ```
/// ``run()`` ends when its task is cancelled or its service group shuts down.
public final class EmbeddedServer: Service {
    /// The configuration that the server was made with.
    public let configuration: EmbeddedServerConfiguration
    /// Faults on demand.
    public let faults = FaultControl()
    /// The requests that the server has answered.
    public let requests: RequestLog

    /// The protocols, in the order in which they are asked whether a path is theirs.
    package let protocols: [any ServerProtocol]
    let logger: Logger
    let registry: ConnectionRegistry
    package let bodies: BodyBudget
    let readiness = Signal<ReadyInformation>()
    let hasRun = Guarded(false)
    /// The port of each protocol that has one of its own, by the protocol's name.
    let ownPorts = Guarded<[String: Int]>([:])
    /// The addresses of a server that responds in memory.
    let informationInMemory = Guarded<ReadyInformation?>(nil)

    /// Makes a server of the given protocols; nothing listens before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The addresses to listen on and the settings of the protocols.
    ///   - protocols: The protocols, in the order in which they are asked whether a path is theirs.
    ///   - logger: Receives failures and the address.
    /// - Throws: ``EmbeddedServerError`` for an invalid configuration or a store that cannot be opened.
    package init(
        _ configuration: EmbeddedServerConfiguration,
        protocols: [any ServerProtocol.Type],
        logger: Logger
    ) throws {
        try configuration.validate(protocols)
        self.configuration = configuration
        self.logger = logger
        requests = RequestLog(capacity: configuration.limits.loggedRequests)
        registry = ConnectionRegistry(limits: configuration.limits)
        bodies = BodyBudget(maximum: configuration.limits.collectedBytes)
        do {
            let store = try ServerStore(path: configuration.store, protocols: protocols)
            self.protocols = try protocols.map { [faults] type in
                try Self.make(
                    type,
                    configuration,
                    ServerEnvironment(
                        access: DatabaseAccess(
                            try store.database(type),
                            configuration.usesInlineStore ? .inline : .asynchronous
                        ),
                        isPersistent: configuration.store != nil,
                        random: configuration.random,
                        faults: faults,
                        limits: configuration.limits,
                        logger: logger
                    )
                )
            }
        } catch {
            throw EmbeddedServerError(.unusableStore, "\(configuration.store ?? "memory"): \(error)")
        }
    }

    private static func make<Protocol: ServerProtocol>(
        _ type: Protocol.Type,
        _ configuration: EmbeddedServerConfiguration,
        _ environment: ServerEnvironment
    ) throws -> any ServerProtocol {
        try Protocol(configuration[type], environment)
    }

    /// The number of open connections. WebSockets count among the protocols' live connections.
    public var connectionCount: Int { registry.count }

    /// Waits until the server listens, and returns its addresses.
    ///
    /// - Throws: The error that ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> ReadyInformation { try await readiness.value() }

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down. Both are a normal end: no
    /// connection is accepted any more, requests in progress may end within ``ServerLimits/shutdown``, and all connections are
    /// closed when this returns.
    ///
    /// - Throws: ``EmbeddedServerError`` if the certificate is unusable, the address cannot be listened on, or the server was
    ///   run before.
    public func run() async throws {
        try beginRunning()
        do {
            try await serve()
            let error = EmbeddedServerError(.notRunning, "the server was stopped before it was ready")
            readiness.settle(.failure(error))
        } catch {
            readiness.settle(.failure(error))
            throw error
        }
    }
}

extension EmbeddedServer {
    /// The server's instance of a protocol.
    ///
    /// - Precondition: The server was made with the protocol.
    package subscript<Protocol: ServerProtocol>(_ type: Protocol.Type) -> Protocol {
        for candidate in protocols {
            if let found = candidate as? Protocol { return found }
        }
        preconditionFailure("the server does not speak \(type.name)")
    }
}
