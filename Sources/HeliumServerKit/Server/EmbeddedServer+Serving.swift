internal import Foundation
internal import HeliumConcurrency
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import ServiceLifecycle
internal import Synchronization

extension EmbeddedServer {
    func serve() async throws {
        let http = try makeHTTPService()
        let live = protocols.compactMap(\.live)
        try await bindOwnPorts()
        // Needed if the service group is shut down before its services run.
        defer { for server in live { server.close() } }
        // Settled when serving ends, or when the time limit for requests that do not end has passed.
        let end = Signal<Void>()
        let failure = Signal<Void>()
        let work = protocols.map { item in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: ProtocolWork(item, store: configuration.store, failure: failure),
                failureTerminationBehavior: .gracefullyShutdownGroup
            )
        }
        // Services are shut down from last to first.
        let group = ServiceGroup(
            configuration: .init(services: work + [.init(service: http)], logger: quietLogger)
        )
        // A protocol that cannot continue stops the server as a caller does, within the same time.
        failure.add { [self] outcome in
            stop(end, outcome)
            Task { await group.triggerGracefulShutdown() }
        }
        // A separate task: cancelling the current task must shut the server down gracefully, not cancel every request.
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
                try await end.valueIgnoringCancellation()
            } onCancel: {
                stop(end)
                Task { await group.triggerGracefulShutdown() }
            }
        } catch {
            throw Self.listening(error, on: configuration.host, configuration.port)
        }
    }

    /// Closes connections, at the latest after ``ServerLimits/shutdown``. One second later serving ends even if a
    /// request does not.
    ///
    /// - Parameter outcome: The outcome of serving in that case.
    private func stop(_ end: Signal<Void>, _ outcome: Result<Void, any Error> = .success(())) {
        registry.stop()
        for server in protocols.compactMap(\.live) { server.stop() }
        let patience = TimeAmount(configuration.limits.shutdown) + .seconds(1)
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: patience) { [logger] in
            guard end.settle(outcome) else { return }
            logger.warning("The server has stopped while a request was in progress")
        }
    }

    /// Listens on the ports of protocols that support clients without HTTP.
    private func bindOwnPorts() async throws {
        for item in protocols {
            guard let live = item.live else { continue }
            do {
                guard let port = try await live.bind(host: configuration.host) else { continue }
                ownPorts.withLock { $0[type(of: item).name] = port }
            } catch {
                for server in protocols.compactMap(\.live) { server.close() }
                throw Self.listening(error, on: configuration.host, live.portNumber ?? 0)
            }
        }
    }

    /// Returns the error for the caller if the server cannot listen on an address or a port. Other errors are not
    /// changed.
    private static func listening(_ error: any Error, on host: String, _ port: Int) -> any Error {
        if let error = error as? IOError {
            return EmbeddedServerError(
                .cannotListen,
                "\(host), port \(port): \(String(cString: strerror(error.errnoCode)))"
            )
        }
        if let error = error as? SocketAddressError { return EmbeddedServerError(.cannotListen, "\(host): \(error)") }
        return error
    }

    /// A logger that drops Hummingbird's messages at level info. Helium logs the start of the server in one line.
    private var quietLogger: Logger {
        var logger = logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    package var scheme: String { configuration.tls == nil ? "http" : "https" }

    private func makeHTTPService() throws -> any Service {
        let limits = configuration.limits
        let responder = ServerResponder(handler: handler, registry: registry, scheme: scheme)
        let transport = try makeTransport()
        let upgrades = LiveUpgrades(protocols: protocols, registry: registry, scheme: scheme)
        let builder = HTTPServerBuilder { [registry] responder in
            ServerConnection(
                transport: transport,
                limits: limits,
                registry: registry,
                upgrades: upgrades,
                responder: responder
            )
        }
        // Hummingbird's `Application` is not used because it replaces the `Date` of every response.
        return try builder.buildServer(
            configuration: ServerConfiguration(
                address: .hostname(configuration.host, port: configuration.port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: quietLogger)
            ),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: quietLogger,
            responder: { request, writer, channel in try await responder.serve(request, writer, on: channel) },
            onServerRunning: { [weak self] channel in await self?.didStart(channel) }
        )
    }

    private func makeTransport() throws -> ServerConnection.Transport {
        if let files = configuration.tls { return .tls(try files.context()) }
        return configuration.usesPriorKnowledgeHTTP2 ? .http2 : .http1
    }

    private func didStart(_ channel: any Channel) async {
        do {
            try await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
            }.get()
        } catch {
            readiness.settle(.failure(EmbeddedServerError(.cannotListen, "\(configuration.host): \(error)")))
            return
        }
        let bound = channel.localAddress
        guard let port = bound?.port, let information = information(port: port, boundAddress: bound?.ipAddress) else {
            readiness.settle(
                .failure(EmbeddedServerError(.cannotListen, "\(configuration.host) is not valid as the host of a URL"))
            )
            return
        }
        logger.info("The server is listening", metadata: ["url": "\(information.http.absoluteString)"])
        readiness.settle(.success(information))
    }

    /// Starts the protocols at a port, and returns the information for clients.
    ///
    /// - Parameter boundAddress: The IP address that the server listens on; `nil` if it does not listen.
    func information(port: Int, boundAddress: String? = nil) -> ReadyInformation? {
        // Clients cannot connect to a wildcard address.
        let host =
            switch configuration.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            case let host: host
            }
        let ownPorts = ownPorts.withLock { $0 }
        var members: [String: any ReadyMember] = [:]
        for item in protocols {
            let name = type(of: item).name
            let address = ServerAddress(
                host: host,
                port: port,
                isSecure: configuration.tls != nil,
                ownPort: ownPorts[name],
                boundAddress: boundAddress
            )
            guard let member = item.start(at: address) else { return nil }
            members[name] = member
        }
        guard let http = URL(string: "\(scheme)://\(host):\(port)") else { return nil }
        return ReadyInformation(http: http, members: members)
    }
}

/// Runs the background work of one protocol and serves its own port.
private struct ProtocolWork: Service, CustomStringConvertible {
    private let item: any ServerProtocol
    private let store: String?
    /// Settled with an error before it is thrown, because the other tasks of the service may take long to end.
    private let failure: Signal<Void>

    init(_ item: any ServerProtocol, store: String?, failure: Signal<Void>) {
        self.item = item
        self.store = store
        self.failure = failure
    }

    /// The name of the protocol. A service group prints each of its services when it is created, for its log. Without
    /// this it would print all that the protocol holds, secrets included, which also takes time.
    var description: String { type(of: item).name }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let live = item.live { group.addTask { try await reporting { try await live.serveListener() } } }
            group.addTask { try await reporting { try await runInBackground() } }
            // The service runs as long as the server, even if its protocol has no background work.
            group.addTask { try? await gracefulShutdown() }
            // Unlike `waitForAll`, this throws the first error before the other tasks have ended.
            for try await _ in group {}
        }
    }

    private func reporting(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            if !(error is CancellationError) { failure.settle(.failure(error)) }
            throw error
        }
    }

    private func runInBackground() async throws {
        do {
            try await cancelWhenGracefulShutdown { [item] in try await item.runInBackground() }
        } catch let fault as StoreFault {
            throw EmbeddedServerError(.failedStore, "\(store ?? "memory"): \(fault)")
        }
    }
}
