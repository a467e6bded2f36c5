internal import Foundation
internal import HeliumConcurrency
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import HummingbirdTLS
public import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
public import ServiceLifecycle
internal import Synchronization

/// A local server that speaks the protocols of Helium's clients, written from the protocol pages without their code,
/// so that each checks the other. For tests, demonstrations and development; not for the open internet.
///
/// ```swift
/// let server = try EmbeddedServer(EmbeddedServerConfiguration())
/// async let running: Void = server.run()
/// let ready = try await server.ready()        // ready.middleware.base, ready.cosm.base are clients' base URLs
/// ```
/// ``run()`` ends when its task is cancelled or its service group shuts down.
public final class EmbeddedServer: Service {
    /// What it was made with.
    public let configuration: EmbeddedServerConfiguration
    /// Faults on demand.
    public let faults: FaultControl
    /// The requests it answered.
    public let requests: RequestLog
    /// A look into the middleware, and changes to it.
    public let middleware: MiddlewareControl
    /// A look into Cosm, and changes to it.
    public let cosm: CosmControl
    /// A look into App.net, and changes to it.
    public let appNet: AppNetControl

    private let logger: Logger
    private let registry: ConnectionRegistry
    let bodies: BodyBudget
    private let signal = ReadySignal()
    private let hasRun = Guarded(false)
    private let livePorts = Guarded<(webSocket: Int, tcp: Int, userStream: Int)>((0, 0, 0))

    /// Makes a server; nothing listens before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: where it listens and what it serves
    ///   - logger: receives failures and the address; by default nothing is logged
    /// - Throws: ``EmbeddedServerError`` for a bad configuration or a store that cannot be opened.
    public init(
        _ configuration: EmbeddedServerConfiguration = EmbeddedServerConfiguration(),
        logger: Logger = Logger(label: "helium.server") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        try configuration.validate()
        let stores = try Self.openStores(configuration)
        let faults = FaultControl()
        self.faults = faults
        self.configuration = configuration
        self.logger = logger
        requests = RequestLog(capacity: configuration.limits.loggedRequests)
        registry = ConnectionRegistry(limits: configuration.limits)
        bodies = BodyBudget(maximum: configuration.limits.collectedBytes)
        middleware = MiddlewareControl(
            state: MiddlewareState(configuration: configuration.middleware, store: stores.middleware)
        )
        let cosmState = CosmState(
            configuration: configuration.cosm,
            store: stores.cosm,
            faults: faults,
            logger: logger
        )
        cosm = CosmControl(
            state: cosmState,
            live: .cosm(cosmState, host: configuration.host, limits: configuration.limits)
        )
        let appNetState = AppNetState(
            configuration: configuration.appNet,
            store: stores.appNet,
            faults: faults,
            logger: logger
        )
        appNet = AppNetControl(
            state: appNetState,
            live: .appNet(appNetState, host: configuration.host, limits: configuration.limits)
        )
    }

    private struct Stores {
        let middleware: any MiddlewareStore
        let cosm: CosmStore
        let appNet: AppNetStore
    }

    private static func openStores(_ configuration: EmbeddedServerConfiguration) throws -> Stores {
        let path = configuration.store
        do {
            guard let path else {
                return Stores(
                    middleware: MemoryStore(),
                    cosm: try CosmStore(try ServerDatabase.memory(), configuration: configuration.cosm),
                    appNet: try AppNetStore(try ServerDatabase.memory(), configuration: configuration.appNet)
                )
            }
            let database = try ServerDatabase.file(at: path)
            return Stores(
                middleware: try SQLiteStore(database),
                cosm: try CosmStore(database, configuration: configuration.cosm),
                appNet: try AppNetStore(database, configuration: configuration.appNet)
            )
        } catch {
            throw EmbeddedServerError(.unusableStore, "\(path ?? "memory"): \(error)")
        }
    }

    /// How many connections are open.
    public var connectionCount: Int { registry.count }

    /// Waits until the server listens and tells where.
    ///
    /// - Throws: what ended ``run()`` before the server was ready, or `CancellationError`.
    public func ready() async throws -> ReadyInformation { try await signal.value() }

    /// Listens and serves until its task is cancelled or the surrounding service group shuts down; both are a normal
    /// end. Then no connection is accepted any more, requests in progress may end within ``ServerLimits/shutdown``, and
    /// all connections are closed when it returns.
    ///
    /// - Throws: ``EmbeddedServerError`` where the certificate is unusable, the address cannot be listened on, or the
    ///   server was run before.
    public func run() async throws {
        let isFirst = hasRun.withLock { hasRun in
            defer { hasRun = true }
            return !hasRun
        }
        guard isFirst else { throw EmbeddedServerError(.notRunning, "a server can be run only once") }
        do {
            try await serve()
            signal.fail(EmbeddedServerError(.notRunning, "the server was stopped before it was ready"))
        } catch {
            signal.fail(error)
            throw error
        }
    }
}

extension EmbeddedServer {
    private func serve() async throws {
        let application = try makeApplication()
        try await listenLive()
        // For a group that was shut down before its services ran.
        defer {
            cosm.live.close()
            appNet.live.close()
        }
        // Shut down from the last to the first.
        let group = ServiceGroup(
            configuration: .init(
                services: [CosmBackground(state: cosm.state), cosm.live, appNet.live, application],
                logger: quietLogger
            )
        )
        let end = ServingEnd()
        // A task of its own: cancelling ours must become a graceful end, not the cancellation of every request.
        let serving = Task { [self] in
            try await withGracefulShutdownHandler {
                try await group.run()
            } onGracefulShutdown: { [self] in
                stop(end)
            }
        }
        Task { end.settle(await serving.result) }
        do {
            try await withTaskCancellationHandler {
                try await end.value()
            } onCancel: {
                stop(end)
                Task { await group.triggerGracefulShutdown() }
            }
        } catch {
            throw Self.listening(error, on: configuration.host, configuration.port)
        }
    }

    /// Closes connections, at the latest when ``ServerLimits/shutdown`` has passed. A second later the end is there even if
    /// a request does not end.
    private func stop(_ end: ServingEnd) {
        registry.stop()
        let patience = TimeAmount(configuration.limits.shutdown) + .seconds(1)
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: patience) { [logger] in
            guard end.settle(.success(())) else { return }
            logger.warning("The server has stopped while a request was still being worked on")
        }
    }

    private func listenLive() async throws {
        let tls = try configuration.tls.map { try NIOSSLContext(configuration: Self.tlsConfiguration(of: $0)) }
        do {
            let ports = try await cosm.live.bind(tls: tls)
            let userStream = try await appNet.live.bind(tls: tls)
            livePorts.withLock { $0 = (ports[0], ports[1], userStream[0]) }
        } catch {
            cosm.live.close()
            let (cosm, appNet) = (configuration.cosm, configuration.appNet)
            throw Self.listening(
                error,
                on: configuration.host,
                cosm.webSocketPort,
                cosm.tcpPort,
                appNet.webSocketPort
            )
        }
    }

    /// What the caller gets to know where an address or a port cannot be listened on; other errors stay as they are.
    private static func listening(_ error: any Error, on host: String, _ ports: Int...) -> any Error {
        if let error = error as? IOError {
            let ports = ports.map { String($0) }.joined(separator: " or ")
            return EmbeddedServerError(
                .cannotListen,
                "\(host), port \(ports): \(String(cString: strerror(error.errnoCode)))"
            )
        }
        if let error = error as? SocketAddressError { return EmbeddedServerError(.cannotListen, "\(host): \(error)") }
        return error
    }

    /// Hummingbird tells every step of its life at level info; ours is told in one line.
    private var quietLogger: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    /// The protocols, in the order in which they are asked whether a path is theirs.
    var services: [any ProtocolService] {
        [
            CosmService(state: cosm.state), AppNetService(state: appNet.state),
            MiddlewareService(state: middleware.state, logger: logger),
        ]
    }

    private func makeApplication() throws -> some Service {
        let limits = configuration.limits
        let responder = ServerResponder(
            services: services,
            registry: registry,
            faults: faults,
            log: requests,
            limits: limits,
            bodies: bodies,
            scheme: configuration.tls == nil ? "http" : "https"
        )
        return Application(
            responder: responder,
            server: try makeServerBuilder(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: quietLogger)
            ),
            onServerRunning: { [weak self] channel in self?.didStart(channel) },
            logger: quietLogger
        )
    }

    private func makeServerBuilder() throws -> HTTPServerBuilder {
        let limits = configuration.limits
        let registry = registry
        let stream = HTTP1Channel.Configuration(
            additionalChannelHandlers: [HTTP1Rules.Installer()],
            idleTimeout: TimeAmount(limits.idle),
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: limits.headerFieldBytes,
                maxHeaderListSize: limits.headerBytes,
                maxHeaderFieldCount: limits.headerFields
            )
        )
        let http2 = HTTP2ChannelConfiguration(
            idleTimeout: limits.idle,
            gracefulCloseTimeout: limits.shutdown,
            streamConfiguration: stream
        )
        if let files = configuration.tls {
            let tls = try Self.tlsConfiguration(of: files)
            // Made here once, so that a bad certificate is an error of the start and not of the first connection.
            let probe = Result { try NIOSSLContext(configuration: tls) }
            if case .failure(let error) = probe {
                throw EmbeddedServerError(.unusableCertificate, "\(files.certificatePath): \(error)")
            }
            return HTTPServerBuilder { responder in
                RegisteredChannel(
                    base: try HTTP2UpgradeChannel(tlsConfiguration: tls, configuration: http2, responder: responder),
                    registry: registry
                )
            }
        }
        if configuration.usesPriorKnowledgeHTTP2 {
            return HTTPServerBuilder { responder in
                RegisteredChannel(base: HTTP2Channel(responder: responder, configuration: http2), registry: registry)
            }
        }
        return HTTPServerBuilder { responder in
            RegisteredChannel(base: HTTP1Channel(responder: responder, configuration: stream), registry: registry)
        }
    }

    private static func tlsConfiguration(of files: TLSFiles) throws -> TLSConfiguration {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificatePath)
            let key = try NIOSSLPrivateKey(file: files.keyPath, format: .pem)
            var tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
            tls.minimumTLSVersion = .tlsv12
            return tls
        } catch {
            throw EmbeddedServerError(
                .unusableCertificate,
                "\(files.certificatePath), \(files.keyPath): \(error)"
            )
        }
    }

    private func didStart(_ channel: any Channel) {
        channel.eventLoop.execute {
            try? channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
        }
        guard let port = channel.localAddress?.port, let information = information(port: port) else {
            signal.fail(EmbeddedServerError(.cannotListen, "\(configuration.host) makes no URL"))
            return
        }
        cosm.state.values.withLock { $0.root = information.http.absoluteString }
        appNet.state.values.withLock { values in
            values.root = information.http.absoluteString
            values.liveRoot = String(information.appNet.userStream.absoluteString.dropLast("/stream/user".count))
        }
        logger.info("The server listens", metadata: ["url": "\(information.http.absoluteString)"])
        signal.succeed(information)
    }

    private func information(port: Int) -> ReadyInformation? {
        // A wildcard address is not one that a client can connect to.
        let host =
            switch configuration.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        let ports = livePorts.withLock { $0 }
        let root = "\(configuration.tls == nil ? "http" : "https")://\(host):\(port)"
        let base = root + configuration.middleware.prefix
        guard let http = URL(string: root), let baseURL = URL(string: base),
            let devices = URL(string: base + "/devices"),
            let secret = configuration.middleware.secrets.first,
            let cosmURL = URL(string: root + configuration.cosm.prefix),
            let webSocket = URL(string: "\(configuration.tls == nil ? "ws" : "wss")://\(host):\(ports.webSocket)"),
            let appNetURL = URL(string: root + "/stream/0"), let oauth = URL(string: root + "/oauth"),
            let pnut = URL(string: root + "/v1"),
            let userStream = URL(
                string: "\(configuration.tls == nil ? "ws" : "wss")://\(host):\(ports.userStream)/stream/user"
            )
        else { return nil }
        return ReadyInformation(
            http: http,
            middleware: .init(base: baseURL, devices: devices, secret: secret.secret, secretID: secret.id),
            cosm: .init(
                base: cosmURL,
                key: cosm.state.store.masterKey,
                webSocket: webSocket,
                tcp: "\(host):\(ports.tcp)"
            ),
            appNet: .init(
                root: appNetURL,
                oauth: oauth,
                pnut: pnut,
                userStream: userStream,
                appNet.state.store.credentials
            )
        )
    }
}
