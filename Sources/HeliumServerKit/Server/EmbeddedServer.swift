internal import HeliumConcurrency
internal import HeliumDatabase
package import Logging
public import ServiceLifecycle
internal import Synchronization

/// A local server for the protocols of Helium's clients. Use it for tests, demonstrations and development. Do not
/// expose it to the internet.
///
/// The server is written from the protocol documentation, without using the clients' code, so that clients and server
/// test each other.
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
/// ``run()`` returns when its task is cancelled or its service group shuts down.
public final class EmbeddedServer: Service {
    /// The configuration that the server was created with.
    public let configuration: EmbeddedServerConfiguration
    /// The control for injecting faults.
    public let faults = FaultControl()
    /// The requests that the server has answered.
    public let requests: RequestLog

    /// The protocols, in the order in which they are asked whether they own a path.
    package let protocols: [any ServerProtocol]
    let logger: Logger
    let registry: ConnectionRegistry
    package let bodies: BodyBudget
    let readiness = Signal<ReadyInformation>()
    let hasRun = Guarded(false)
    /// The separate port of each protocol that has one, by the protocol's name.
    let ownPorts = Guarded<[String: Int]>([:])
    /// The addresses of a server that responds in memory; `nil` before ``startInMemory()``.
    let informationInMemory = Guarded<ReadyInformation?>(nil)

    /// Creates a server with the given protocols. It does not listen before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The addresses to listen on and the settings of the protocols.
    ///   - protocols: The protocols, in the order in which they are asked whether they own a path.
    ///   - logger: Receives failures and the listening address.
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
            let store = try ServerStore(
                path: configuration.store,
                protocols: protocols,
                reporting: UnreadableRows(logger: logger)
            )
            self.protocols = try protocols.map { [faults] type in
                try Self.make(
                    type,
                    configuration,
                    ServerEnvironment(
                        access: try store.access(type, configuration),
                        isPersistent: configuration.store != nil,
                        random: configuration.random,
                        faults: faults,
                        limits: configuration.limits,
                        logger: logger
                    )
                )
            }
        } catch {
            throw EmbeddedServerError(
                .unusableStore,
                "\(configuration.store ?? "memory"): \(StoreFault.text(of: error))"
            )
        }
    }

    private static func make<Protocol: ServerProtocol>(
        _ type: Protocol.Type,
        _ configuration: EmbeddedServerConfiguration,
        _ environment: ServerEnvironment
    ) throws -> any ServerProtocol {
        try Protocol(configuration[type], environment)
    }

    /// The number of open connections of the HTTP port. WebSockets are not included; they belong to the protocols' live
    /// connections.
    public var connectionCount: Int { registry.count }

    /// Waits until the server listens, and returns its addresses.
    ///
    /// - Throws: The error that ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> ReadyInformation { try await readiness.value() }

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down. In both cases it
    /// returns normally: the server stops accepting connections, requests in progress can complete within
    /// ``ServerLimits/shutdown``, and all connections are closed when this function returns.
    ///
    /// - Throws: ``EmbeddedServerError`` if the certificate is unusable, the server cannot listen on the address, it was
    ///   run before, or a protocol cannot continue because its store is damaged. The server then stops as described
    ///   above, and throws the error at the latest one second after ``ServerLimits/shutdown``.
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

extension EmbeddedServer: CustomStringConvertible, CustomReflectable {
    /// The names of the protocols.
    public var description: String {
        "server of \(protocols.map { type(of: $0).name }.joined(separator: ", "))"
    }

    /// A mirror with the configuration and the requests. The state of the protocols is left out because it has the tokens
    /// and keys of clients.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": configuration, "requests": requests]) }
}

extension EmbeddedServer {
    /// Returns the server's instance of a protocol.
    ///
    /// - Precondition: The server was created with the protocol.
    package subscript<Protocol: ServerProtocol>(_ type: Protocol.Type) -> Protocol {
        for candidate in protocols {
            if let found = candidate as? Protocol { return found }
        }
        preconditionFailure("the server does not support \(type.name)")
    }
}
