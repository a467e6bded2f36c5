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
        // For a service group that was shut down before its services ran.
        defer { for server in live { server.close() } }
        // Shut down from the last to the first.
        let group = ServiceGroup(
            configuration: .init(services: protocols.map { ProtocolWork($0) } + [http], logger: quietLogger)
        )
        // The end of serving: its own, or the moment until which a stopped server waits for requests that do not end.
        let end = Signal<Void>()
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
                try await end.valueIgnoringCancellation()
            } onCancel: {
                stop(end)
                Task { await group.triggerGracefulShutdown() }
            }
        } catch {
            throw Self.listening(error, on: configuration.host, configuration.port)
        }
    }

    /// Closes connections, at the latest when ``ServerLimits/shutdown`` has passed. A second later serving ends even if a request
    /// does not.
    private func stop(_ end: Signal<Void>) {
        registry.stop()
        for server in protocols.compactMap(\.live) { server.stop() }
        let patience = TimeAmount(configuration.limits.shutdown) + .seconds(1)
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: patience) { [logger] in
            guard end.settle() else { return }
            logger.warning("The server has stopped while a request was still being worked on")
        }
    }

    /// Listens on the ports of protocols that have clients without HTTP.
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

    /// The error that the caller gets if an address or a port cannot be listened on; other errors stay as they are.
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

    /// Hummingbird logs every step of its life at level info; ours is logged in one line.
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
        // Not Hummingbird's `Application`, which replaces the `Date` of every response.
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
            readiness.settle(.failure(EmbeddedServerError(.cannotListen, "\(configuration.host) makes no URL")))
            return
        }
        logger.info("The server listens", metadata: ["url": "\(information.http.absoluteString)"])
        readiness.settle(.success(information))
    }

    /// Starts the protocols at a port, and collects what clients need to know of them.
    ///
    /// - Parameter boundAddress: The IP address that the server listens on; `nil` if nothing listens.
    func information(port: Int, boundAddress: String? = nil) -> ReadyInformation? {
        // A wildcard address is not one that a client can connect to.
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

/// Runs one protocol's work that no request asks for, and serves its own port.
private struct ProtocolWork: Service {
    private let item: any ServerProtocol

    init(_ item: any ServerProtocol) { self.item = item }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let live = item.live { group.addTask { try await live.serveListener() } }
            group.addTask { [item] in await cancelWhenGracefulShutdown { await item.runInBackground() } }
            // The service runs as long as the server does, whatever its protocol has to do.
            group.addTask { try? await gracefulShutdown() }
            try await group.waitForAll()
        }
    }
}
