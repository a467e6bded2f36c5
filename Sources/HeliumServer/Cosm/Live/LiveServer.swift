internal import HeliumConcurrency
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket
internal import ServiceLifecycle
internal import Synchronization

/// The two ports of the live socket (§14): WebSocket, and raw TCP.
final class LiveServer: Service {
    typealias Connection = NIOAsyncChannel<LiveEvent, Never>

    /// What became of a connection on the WebSocket's port.
    private enum Upgrade: Sendable {
        case done(Connection)
        case refused
    }

    private struct Listeners: Sendable {
        let webSocket: NIOAsyncChannel<EventLoopFuture<Upgrade>, Never>
        let tcp: NIOAsyncChannel<Connection, Never>
    }

    let channels: LiveChannels
    private let state: CosmState
    private let engine: LiveEngine
    private let host: String
    private let limits: ServerLimits
    private let listeners = Guarded<Listeners?>(nil)
    private let connections = Guarded<[ObjectIdentifier: LiveConnection]>([:])

    init(state: CosmState, host: String, limits: ServerLimits) {
        self.state = state
        self.host = host
        self.limits = limits
        engine = LiveEngine(state: state)
        channels = LiveChannels(maximum: state.configuration.maxima.liveConnections)
    }

    /// Listens on both ports; the WebSocket's with TLS where there is a context.
    ///
    /// - Throws: `IOError` where one of them cannot be listened on.
    func bind(tls: NIOSSLContext?) async throws -> (webSocket: Int, tcp: Int) {
        let webSocket = try await bootstrap.bind(host: host, port: state.configuration.webSocketPort) {
            [self] channel in
            channel.eventLoop.makeCompletedFuture { try setUpWebSocket(channel, tls) }
        }
        let tcp: NIOAsyncChannel<Connection, Never>
        do {
            tcp = try await bootstrap.bind(host: host, port: state.configuration.tcpPort) { [self] channel in
                channel.eventLoop.makeCompletedFuture { try setUpTCP(channel) }
            }
        } catch {
            try? await webSocket.channel.close()
            throw error
        }
        listeners.withLock { $0 = Listeners(webSocket: webSocket, tcp: tcp) }
        return (webSocket.channel.localAddress?.port ?? 0, tcp.channel.localAddress?.port ?? 0)
    }

    /// Serves until the surrounding service group shuts down or the task is cancelled.
    func run() async throws {
        guard let listeners = listeners.withLock({ $0.take() }) else { return }
        try await withGracefulShutdownHandler {
            try await serve(listeners)
        } onGracefulShutdown: { [self] in
            listeners.webSocket.channel.close(promise: nil)
            listeners.tcp.channel.close(promise: nil)
            let serving = connections.withLock { Array($0.values) }
            channels.stop(serving: Set(serving.map(\.channelID)), grace: TimeAmount(limits.shutdown))
            for connection in serving { connection.sayGoodbye() }
        }
    }

    /// Closes ports that were bound and never served.
    func close() {
        guard let listeners = listeners.withLock({ $0.take() }) else { return }
        listeners.webSocket.channel.close(promise: nil)
        listeners.tcp.channel.close(promise: nil)
    }

    private func serve(_ listeners: Listeners) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [self] in
                try await withThrowingDiscardingTaskGroup { clients in
                    try await listeners.webSocket.executeThenClose { inbound in
                        for try await upgrade in inbound {
                            clients.addTask { [self] in
                                if case .done(let connection)? = try? await upgrade.get() { await serve(connection) }
                            }
                        }
                    }
                }
            }
            group.addTask { [self] in
                try await withThrowingDiscardingTaskGroup { clients in
                    try await listeners.tcp.executeThenClose { inbound in
                        for try await connection in inbound { clients.addTask { [self] in await serve(connection) } }
                    }
                }
            }
        }
    }

    /// One client, frame by frame: the next is read when the last is answered.
    private func serve(_ connection: Connection) async {
        let client = LiveConnection(
            channel: connection.channel,
            maximumWaiting: state.configuration.maxima.liveQueueBytes
        )
        let id = ObjectIdentifier(client)
        connections.withLock { $0[id] = client }
        defer {
            connections.withLock { $0[id] = nil }
            state.subscriptions.removeAll(client)
        }
        do {
            try await connection.executeThenClose { inbound in
                for try await event in inbound {
                    switch event {
                    case .object(let bytes):
                        await engine.answer(bytes, on: client)
                    case .broken(let reason):
                        client.finishAnswer(LiveReply(status: 400, body: .text(reason)))
                        await client.drain()
                        return
                    }
                }
                // The client has closed its side and may still read.
                await client.drain()
            }
        } catch {
            // A connection that breaks is a normal end of one.
            state.logger.debug("A live connection ended", metadata: ["error": "\(error)"])
        }
    }
}

extension LiveServer {
    private var bootstrap: ServerBootstrap {
        ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
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

    private func setUpTCP(_ channel: any Channel) throws -> Connection {
        try admit(channel)
        let maximum = state.configuration.maxima.liveObjectBytes
        try channel.pipeline.syncOperations.addHandler(TCPLiveHandler(maximumObjectBytes: maximum))
        return try Connection(wrappingChannelSynchronously: channel)
    }

    private func setUpWebSocket(_ channel: any Channel, _ tls: NIOSSLContext?) throws -> EventLoopFuture<Upgrade> {
        try admit(channel)
        if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
        let maximum = state.configuration.maxima.liveObjectBytes
        let patience = TimeAmount(limits.idle)
        let upgrader = NIOTypedWebSocketServerUpgrader<Upgrade>(
            maxFrameSize: maximum,
            shouldUpgrade: { channel, head in
                let isRoot = head.uri == "/" || head.uri.hasPrefix("/?")
                return channel.eventLoop.makeSucceededFuture(isRoot ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
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
                    return .done(try Connection(wrappingChannelSynchronously: channel))
                }
            }
        )
        let refusal: @Sendable (any Channel) -> EventLoopFuture<Upgrade> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(UpgradeRefusal())
                return .refused
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
