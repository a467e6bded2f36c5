public import HeliumServerKit
public import Logging
public import ServiceLifecycle

/// A server of Jetstream scopes on a port of its own, as a service of a service group (Jetstream.md §5).
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
/// Clients connect to any path of the port. With a store, everything that was sent is on disk: after a crash clients
/// resume their sessions, and nothing is lost or applied twice.
public final class JetstreamServer: Service {
    /// The address that a server listens on, and the scopes that it hosts.
    public struct Configuration: Sendable {
        /// The address to listen on. Default: `127.0.0.1`.
        public var host = "127.0.0.1"
        /// The port; 0 takes a free one. Default: 3000.
        public var port = 3000
        /// The path of a SQLite file that keeps scopes and sessions. A scope that it has keeps its objects, whatever the
        /// scope file says of the initial tree. Default: `nil`, memory.
        public var store: String?
        /// The certificate; `nil` serves without TLS. Default: `nil`.
        public var tls: TLSFiles?
        /// Ceilings and times of the connections. The default allows 10,000 of them.
        public var serverLimits: ServerLimits
        /// The scopes, who may do what, and ceilings of sessions and scopes. Its path is `nil`: every path.
        public var jetstream = JetstreamConfiguration()

        /// Creates a configuration with the defaults named at each property.
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

    /// Makes a server; nothing listens before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: Where it listens and what it hosts.
    ///   - logger: Receives failures and the address. Default: nothing is logged.
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

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down. Both are a normal end.
    ///
    /// - Throws: `EmbeddedServerError` if the certificate is unusable, the address cannot be listened on, or the server was
    ///   run before.
    public func run() async throws { try await server.run() }

    /// Waits until the server listens, and returns its URL and the names of its scopes.
    ///
    /// - Throws: The error that ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> ReadyInformation.Jetstream { try await server.ready().jetstream }

    /// Looks into the scopes and changes them; drops sockets and expires sessions, for tests.
    public var control: JetstreamControl { server.jetstream }
}
