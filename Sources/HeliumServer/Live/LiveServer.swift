internal import HeliumConcurrency
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
internal import ServiceLifecycle
internal import Synchronization

/// The ports of a protocol's live clients: listens, upgrades, admits, and ends what is open when the server does.
final class LiveServer: Service {
    typealias Connection = NIOAsyncChannel<LiveEvent, Never>

    /// A connection whose framing is agreed on, and what serves it; nil: it was refused.
    private struct Client: Sendable {
        let connection: Connection
        let session: any LiveSession
    }

    private enum Listener: Sendable {
        case upgrading(NIOAsyncChannel<EventLoopFuture<Client?>, Never>)
        case raw(NIOAsyncChannel<Client, Never>)

        var channel: any Channel {
            switch self {
            case .upgrading(let listener): listener.channel
            case .raw(let listener): listener.channel
            }
        }
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
        channels = LiveChannels(maximum: maxima.connections)
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
        switch port.framing {
        case .webSocket(let admission):
            .upgrading(
                try await bootstrap.bind(host: host, port: port.number) { [self] channel in
                    channel.eventLoop.makeCompletedFuture { try setUpWebSocket(channel, tls, admission) }
                }
            )
        case .raw(let handler, let session):
            .raw(
                try await bootstrap.bind(host: host, port: port.number) { [self] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try admit(channel)
                        try channel.pipeline.syncOperations.addHandler(handler())
                        return Client(
                            connection: try Connection(wrappingChannelSynchronously: channel),
                            session: session
                        )
                    }
                }
            )
        }
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
            switch listener {
            case .upgrading(let listener):
                try await listener.executeThenClose { inbound in
                    for try await upgrade in inbound {
                        clients.addTask { [self] in
                            if let client = try? await upgrade.get() { await serve(client) }
                        }
                    }
                }
            case .raw(let listener):
                try await listener.executeThenClose { inbound in
                    for try await client in inbound { clients.addTask { [self] in await serve(client) } }
                }
            }
        }
    }

    /// One client, object by object: the next is read when the last is answered.
    private func serve(_ served: Client) async {
        let client = LiveConnection(channel: served.connection.channel, maximumWaiting: maxima.queueBytes)
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

    /// An upgrade whose handshake nobody has decided on.
    private struct Undecided: Error {}

    private func admit(_ channel: any Channel) throws {
        guard channels.admit(channel) else {
            channel.close(promise: nil)
            throw TooManyConnections()
        }
    }

    private func setUpWebSocket(
        _ channel: any Channel,
        _ tls: NIOSSLContext?,
        _ admission: @escaping @Sendable (LiveHandshake) async -> LiveAdmission
    ) throws -> EventLoopFuture<Client?> {
        try admit(channel)
        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
        let maximum = maxima.objectBytes
        let patience = TimeAmount(limits.idle)
        // One handshake comes over a connection: what is decided on it is kept for the step that follows.
        let decision = Guarded<LiveAdmission?>(nil)
        let upgrader = NIOTypedWebSocketServerUpgrader<Client?>(
            maxFrameSize: maximum,
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeFutureWithTask {
                    let decided = await admission(LiveHandshake(target: head.uri, fields: head.headers))
                    decision.withLock { $0 = decided }
                    if case .session = decided { return HTTPHeaders() }
                    return nil
                }
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    guard case .session(let session) = decision.withLock({ $0 }) else { throw Undecided() }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: patience))
                    try pipeline.addHandler(WebSocketMaskRule())
                    try pipeline.addHandler(
                        NIOWebSocketFrameAggregator(
                            minNonFinalFragmentSize: 0,
                            maxAccumulatedFrameCount: 1024,
                            maxAccumulatedFrameSize: maximum
                        )
                    )
                    try pipeline.addHandler(WebSocketLiveHandler())
                    return Client(
                        connection: try Connection(wrappingChannelSynchronously: channel),
                        session: session
                    )
                }
            }
        )
        let refusal: @Sendable (any Channel) -> EventLoopFuture<Client?> = { channel in
            channel.eventLoop.makeCompletedFuture {
                let decided = decision.withLock { $0 }
                var refusal = LiveRefusal.upgradeRequired
                if case .refused(let reason) = decided { refusal = reason }
                let handler = UpgradeRefusal(refusal, isRequestRead: decided != nil)
                try channel.pipeline.syncOperations.addHandler(handler)
                return nil
            }
        }
        let upgrade = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: .init(
                upgradeConfiguration: .init(upgraders: [upgrader], notUpgradingCompletionHandler: refusal)
            )
        )
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.firstRequest)) {
            channel.close(promise: nil)
        }
        upgrade.whenComplete { _ in deadline.cancel() }
        return upgrade
    }
}
