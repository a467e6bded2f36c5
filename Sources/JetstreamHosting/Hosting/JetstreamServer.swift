public import HeliumServerKit
public import Logging
public import ServiceLifecycle

/// A server of Jetstream scopes on a separate port, as a service of a service group (Docs/Protocols/Jetstream.md §5).
///
/// ```swift
/// let file = try ScopeFile(parsing: Data(contentsOf: URL(filePath: "board.json")))
/// var configuration = JetstreamServer.Configuration(scopes: file)
/// configuration.jetstream.authorization.session = { session in
///     guard session.parameters["user"] != nil else { throw JetstreamRefusal("sign in first") }
/// }
/// let server = try JetstreamServer(configuration)
/// try await ServiceGroup(services: [server], logger: logger).run()
/// ```
///
/// Clients connect to any path of the port. With a store, everything that was sent is on disk. After a crash, clients
/// resume their sessions, and nothing is lost or applied twice.
public final class JetstreamServer: Service {
    /// The address that a server listens on and the scopes that it hosts.
    public struct Configuration: Sendable {
        /// The address to listen on. Default: `127.0.0.1`.
        public var host = "127.0.0.1"
        /// The port; 0 selects a free one. Default: 3000.
        public var port = 3000
        /// The path of a SQLite file that stores scopes and sessions. A stored scope keeps its objects, regardless of
        /// the initial tree in the scope file. Default: `nil`, memory.
        public var store: String?
        /// The TLS certificate; `nil` serves without TLS. Default: `nil`.
        public var tls: TLSFiles?
        /// The limits and timeouts of the connections. The default allows 10,000 connections.
        public var serverLimits: ServerLimits
        /// The scopes, the authorization, and the limits of sessions and scopes. The path is `nil`: every path.
        public var jetstream = JetstreamConfiguration()

        /// Creates a configuration with the defaults given for each property.
        ///
        /// - Parameter scopes: The schema and the scopes.
        public init(scopes: ScopeFile) {
            jetstream.scopes = scopes
            jetstream.path = nil
            serverLimits = ServerLimits()
            serverLimits.connections = 10_000
        }
    }

    private let server: EmbeddedServer

    /// Creates a server. It does not listen before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The address and the hosted scopes.
    ///   - logger: Receives errors and the address. Default: nothing is logged.
    /// - Throws: `EmbeddedServerError` for an invalid configuration or a store that cannot be opened.
    public init(
        _ configuration: Configuration,
        logger: Logger = Logger(label: "helium.jetstream") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        var embedded = EmbeddedServerConfiguration()
        embedded.host = configuration.host
        embedded.port = configuration.port
        embedded.store = configuration.store
        embedded.tls = configuration.tls
        embedded.limits = configuration.serverLimits
        embedded.jetstream = configuration.jetstream
        server = try EmbeddedServer(embedded, protocols: [JetstreamService.self], logger: logger)
    }

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down. Both end without an
    /// error.
    ///
    /// A store that cannot be written, for example because the disk is full, does not end the server. It refuses
    /// connections with the close code 1013 and logs the cause. When the store can be written again, clients resume
    /// their sessions, as after a restart.
    ///
    /// - Throws: `EmbeddedServerError` if the certificate is unusable, if listening on the address fails, if the
    ///   server was run before, or if the store is damaged.
    public func run() async throws { try await server.run() }

    /// Waits until the server listens, and returns its URL and the names of its scopes.
    ///
    /// - Throws: The error that ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> ReadyInformation.Jetstream { try await server.ready().jetstream }

    /// Reads and changes the scopes. For tests, it also drops sockets and expires sessions.
    public var control: JetstreamControl { server.jetstream }
}
