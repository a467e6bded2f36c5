internal import HeliumConcurrency
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import ServiceLifecycle
internal import Synchronization

/// The ports of a protocol's live clients: listens, upgrades, admits, and ends what is open when the server does.
final class LiveServer: Service {
    typealias Connection = NIOAsyncChannel<LiveEvent, Never>

    /// A connection whose framing is agreed on, and what serves it; nil: it was refused.
    private struct Client: Sendable {
        let connection: Connection
        let live: LiveConnection
        let session: any LiveSession
    }

    /// A bound port. Connections are set up when they are served: a `NIOAsyncChannel` that is dropped before, because the
    /// listener closes, would trap (swift-nio issue 2813).
    private struct Listener: Sendable {
        let port: LivePort
        let tls: NIOSSLContext?
        let accepted: NIOAsyncChannel<any Channel, Never>

        var channel: any Channel { accepted.channel }
    }

    let channels: LiveChannels
    private let ports: [LivePort]
    private let host: String
    private let limits: ServerLimits
    private let maxima: LiveMaxima
    private let logger: Logger
    private let listeners = Guarded<[Listener]>([])
    private let connections = Guarded<[ObjectIdentifier: LiveConnection]>([:])

    init(ports: [LivePort], host: String, limits: ServerLimits, maxima: LiveMaxima, logger: Logger) {
        self.ports = ports
        self.host = host
        self.limits = limits
        self.maxima = maxima
        self.logger = logger
        channels = LiveChannels(
            maximum: maxima.connections,
            maximumWaiting: maxima.unauthenticatedConnections,
            patience: TimeAmount(limits.firstRequest)
        )
    }

    /// Listens on all ports; those of WebSockets with TLS where there is a context.
    ///
    /// - Returns: the ports' numbers, in their order.
    /// - Throws: `IOError` where one of them cannot be listened on.
    func bind(tls: NIOSSLContext?) async throws -> [Int] {
        var bound: [Listener] = []
        do {
            for port in ports { bound.append(try await bind(port, tls)) }
        } catch {
            for listener in bound { try? await listener.channel.close() }
            throw error
        }
        listeners.withLock { $0 = bound }
        return bound.map { $0.channel.localAddress?.port ?? 0 }
    }

    private func bind(_ port: LivePort, _ tls: NIOSSLContext?) async throws -> Listener {
        let accepted = try await bootstrap.bind(host: host, port: port.number) { [self] channel in
            channel.eventLoop.makeCompletedFuture {
                try admit(channel)
                try channel.syncOptions?.setOption(.autoRead, value: false)
                return channel
            }
        }
        return Listener(port: port, tls: tls, accepted: accepted)
    }

    /// Serves until the surrounding service group shuts down or the task is cancelled.
    func run() async throws {
        let listeners = listeners.withLock { listeners in
            defer { listeners = [] }
            return listeners
        }
        try await withGracefulShutdownHandler {
            try await serve(listeners)
        } onGracefulShutdown: { [self] in
            for listener in listeners { listener.channel.close(promise: nil) }
            let serving = connections.withLock { Array($0.values) }
            channels.stop(serving: Set(serving.map(\.channelID)), grace: TimeAmount(limits.shutdown))
            for connection in serving { connection.sayGoodbye() }
        }
    }

    /// Closes ports that were bound and never served.
    func close() {
        for listener in listeners.withLock({ $0 }) { listener.channel.close(promise: nil) }
    }

    private func serve(_ listeners: [Listener]) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for listener in listeners { group.addTask { [self] in try await serve(listener) } }
        }
    }

    private func serve(_ listener: Listener) async throws {
        try await withThrowingDiscardingTaskGroup { clients in
            try await listener.accepted.executeThenClose { inbound in
                for try await channel in inbound {
                    clients.addTask { [self] in
                        do {
                            if let client = try await client(on: channel, of: listener).get() { await serve(client) }
                        } catch {
                            // Nobody else would: of a request that breaks HTTP's own rules, only the upgrade fails.
                            channel.close(promise: nil)
                        }
                    }
                }
            }
        }
    }

    /// Adds the handlers of an accepted connection, and begins to read it.
    private func client(on channel: any Channel, of listener: Listener) -> EventLoopFuture<Client?> {
        channel.eventLoop.flatSubmit { [self] in
            do {
                let client: EventLoopFuture<Client?>
                switch listener.port.framing {
                case .webSocket(let admission): client = try setUpWebSocket(channel, listener.tls, admission)
                case .raw(let codec, let session):
                    client = channel.eventLoop.makeSucceededFuture(try setUp(channel, codec(), session))
                }
                try channel.syncOptions?.setOption(.autoRead, value: true)
                return client
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
    }

    /// One client, object by object: the next is read when the last is answered.
    private func serve(_ served: Client) async {
        let client = served.live
        let id = ObjectIdentifier(client)
        connections.withLock { $0[id] = client }
        defer {
            connections.withLock { $0[id] = nil }
            served.session.closed(client)
        }
        do {
            try await served.connection.executeThenClose { inbound in
                await served.session.opened(on: client)
                for try await event in inbound {
                    switch event {
                    case .object(let bytes):
                        await served.session.received(bytes, on: client)
                    case .broken(let reason):
                        served.session.broken(reason, on: client)
                        await client.drain()
                        return
                    }
                }
                // The client has closed its side and may still read.
                await client.drain()
            }
        } catch {
            // A connection that breaks is a normal end of one.
            logger.debug("A live connection ended", metadata: ["error": "\(error)"])
        }
    }
}

extension LiveServer {
    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(AcceptPause()) }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
    }

    private struct TooManyConnections: Error {}

    private func admit(_ channel: any Channel) throws {
        guard channels.admit(channel) else {
            channel.close(promise: nil)
            throw TooManyConnections()
        }
    }

    /// Adds the handlers of a connection whose framing is agreed on.
    private func setUp(_ channel: any Channel, _ codec: any LiveCodec, _ session: any LiveSession) throws -> Client {
        let live = LiveConnection(channel: channel, channels: channels, maximumWaiting: maxima.queueBytes)
        try channel.pipeline.syncOperations.addHandler(
            LiveHandler(connection: live, codec: codec, objectLimit: TimeAmount(limits.body))
        )
        return Client(
            connection: try Connection(wrappingChannelSynchronously: channel),
            live: live,
            session: session
        )
    }

    private func setUpWebSocket(
        _ channel: any Channel,
        _ tls: NIOSSLContext?,
        _ admission: @escaping @Sendable (LiveHandshake) async -> LiveAdmission
    ) throws -> EventLoopFuture<Client?> {
        let pipeline = channel.pipeline.syncOperations
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        let upgrader = WebSocketUpgrader<Client> { [self] handshake in
            switch await admission(handshake) {
            case .refused(let refusal): return .refused(refusal)
            case .session(let session, let isAuthenticated):
                // Before the handshake is answered: a client that is refused learns why.
                if isAuthenticated, !channels.authenticate(channel) { return .refused(.full) }
                return .accepted { [self] channel in try setUpSession(channel, session, isAuthenticated) }
            }
        }
        var configuration = NIOUpgradableHTTPServerPipelineConfiguration<Client?>(
            upgradeConfiguration: .init(
                upgraders: [upgrader],
                notUpgradingCompletionHandler: { upgrader.refuse($0) }
            )
        )
        // One request comes over a connection.
        configuration.enablePipelining = false
        configuration.decoderConfiguration.maxHeaderFieldSize = limits.headerFieldBytes
        configuration.decoderConfiguration.maxHeaderListSize = limits.headerBytes
        configuration.decoderConfiguration.maxHeaderFieldCount = limits.headerFields
        return try pipeline.configureUpgradableHTTPServerPipeline(configuration: configuration)
    }

    private func setUpSession(
        _ channel: any Channel,
        _ session: any LiveSession,
        _ isAuthenticated: Bool
    ) throws -> Client {
        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: TimeAmount(limits.idle)))
        let client = try setUp(channel, WebSocketLiveCodec(maximumObjectBytes: maxima.objectBytes), session)
        if isAuthenticated { _ = client.live.authenticate() }
        return client
    }
}
