internal import HeliumConcurrency
internal import HeliumWebSocketFraming
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// The live connections of one protocol. The server sets them up, serves them, and closes them when it stops.
/// WebSockets come from the HTTP port, and clients without HTTP use a separate port of the protocol.
package final class LiveServer: Sendable {
    /// A connection whose framing is negotiated, and the session that serves it.
    struct Client: Sendable {
        let connection: NIOAsyncChannel<LiveEvent, Never>
        let live: LiveConnection
        let session: any LiveSession
        /// Whether the connection has a place. A refused one is not passed to its session.
        var isAccepted = true
    }

    package let channels: LiveChannels
    private let port: LivePort?
    private let limits: ServerLimits
    private let maxima: LiveMaxima
    private let logger: Logger
    private let listener = Guarded<NIOAsyncChannel<any Channel, Never>?>(nil)
    private let connections = Guarded<[ObjectIdentifier: LiveConnection]>([:])

    private let acceptsBinary: Bool

    /// Creates the live connections of a protocol.
    ///
    /// - Parameters:
    ///   - port: The port for clients without HTTP; `nil` for no port.
    ///   - acceptsBinary: Whether objects in binary messages are accepted. Default: `false`.
    package convenience init(
        maxima: LiveMaxima,
        port: LivePort? = nil,
        acceptsBinary: Bool = false,
        environment: ServerEnvironment
    ) {
        self.init(
            maxima: maxima,
            port: port,
            acceptsBinary: acceptsBinary,
            limits: environment.limits,
            logger: environment.logger
        )
    }

    init(maxima: LiveMaxima, port: LivePort?, acceptsBinary: Bool, limits: ServerLimits, logger: Logger) {
        self.maxima = maxima
        self.acceptsBinary = acceptsBinary
        self.port = port
        self.limits = limits
        self.logger = logger
        channels = LiveChannels(
            maximum: maxima.connections,
            maximumWaiting: maxima.unauthenticatedConnections,
            patience: TimeAmount(maxima.authentication ?? limits.firstRequest),
            sharePerAddress: limits.sharePerAddress
        )
    }

    /// Adds the handlers of a connection that has become a WebSocket.
    func setUp(_ channel: any Channel, _ session: any LiveSession, isAuthenticated: Bool) throws -> Client {
        try channel.pipeline.syncOperations.addHandler(IdleStateHandler(readTimeout: TimeAmount(limits.idle)))
        let codec = WebSocketLiveCodec(maximumObjectBytes: maxima.objectBytes, acceptsBinary: acceptsBinary)
        var client = try client(on: channel, codec, session)
        if isAuthenticated, !client.live.authenticate() {
            client.isAccepted = false
            client.live.close(code: CloseCode.tryAgainLater, reason: "there are too many connections")
        }
        return client
    }

    private func client(on channel: any Channel, _ codec: any LiveCodec, _ session: any LiveSession) throws -> Client {
        let live = LiveConnection(channel: channel, channels: channels, maximumWaiting: maxima.queueBytes)
        try channel.pipeline.syncOperations.addHandler(
            LiveHandler(connection: live, codec: codec, objectLimit: TimeAmount(limits.body))
        )
        return Client(
            connection: try NIOAsyncChannel(wrappingChannelSynchronously: channel),
            live: live,
            session: session
        )
    }

    /// Serves a client object by object. The next object is read after the previous one was processed.
    ///
    /// The session of a refused client never learns of it: opening it could end another connection of the same client.
    func serve(_ client: Client) async {
        guard client.isAccepted else { return await refuse(client) }
        let id = ObjectIdentifier(client.live)
        connections.withLock { $0[id] = client.live }
        defer {
            connections.withLock { $0[id] = nil }
            client.session.closed(client.live)
        }
        do {
            try await client.connection.executeThenClose { inbound in
                await client.session.opened(on: client.live)
                for try await event in inbound {
                    switch event {
                    case .object(let bytes):
                        await client.session.received(bytes, on: client.live)
                    case .broken(let reason):
                        client.session.broken(reason, on: client.live)
                        await client.live.drain()
                        return
                    }
                }
                // The client has closed its side, but may still read.
                await client.live.drain()
            }
        } catch {
            // A broken connection is not an error of the server.
            logger.debug("A live connection ended", metadata: ["error": "\(error)"])
        }
    }

    /// Waits until a refused client has read the reason and closed the connection, or until its time is over.
    private func refuse(_ client: Client) async {
        try? await client.connection.executeThenClose { inbound in
            for try await _ in inbound {}
        }
    }

    /// Stops listening, sends close messages to the clients, and closes the connections that are still open after
    /// ``ServerLimits/shutdown``.
    func stop() {
        listener.withLock { $0 }?.channel.close(promise: nil)
        let serving = connections.withLock { Array($0.values) }
        channels.stop(serving: Set(serving.map(\.channelID)), grace: TimeAmount(limits.shutdown))
        for connection in serving { connection.closeGracefully() }
    }
}

// MARK: The port for clients without HTTP

extension LiveServer {
    /// Listens on the port for clients without HTTP.
    ///
    /// - Returns: The port number; `nil` if there is no such port.
    /// - Throws: `IOError` if the server cannot listen on the port.
    func bind(host: String) async throws -> Int? {
        guard let port else { return nil }
        let bound = try await bootstrap.bind(host: host, port: port.number) { [self] channel in
            channel.eventLoop.makeCompletedFuture {
                guard channels.admit(channel) else {
                    channel.close(promise: nil)
                    throw ServerStopping()
                }
                // The handlers are added when the connection is served, because a `NIOAsyncChannel` that is dropped
                // before that, when the listener closes, would trap (swift-nio issue 2813).
                try EarlyArrivals.begin(on: channel)
                return channel
            }
        }
        listener.withLock { $0 = bound }
        return bound.channel.localAddress?.port
    }

    /// Serves the clients of the port until it closes.
    func serveListener() async throws {
        guard let port, let listener = listener.withLock({ $0 }) else { return }
        try await withThrowingDiscardingTaskGroup { clients in
            try await listener.executeThenClose { inbound in
                for try await channel in inbound {
                    clients.addTask { [self] in
                        do {
                            await serve(try await channel.eventLoop.submit { [self] in try begin(channel, port) }.get())
                        } catch {
                            channel.close(promise: nil)
                        }
                    }
                }
            }
        }
    }

    private func begin(_ channel: any Channel, _ port: LivePort) throws -> Client {
        let client = try client(on: channel, port.codec(), port.session)
        EarlyArrivals.end(on: channel)
        return client
    }

    /// The configured number of the port for clients without HTTP; `nil` if there is no such port.
    var portNumber: Int? { port?.number }

    /// Closes the port if it was bound and never served.
    func close() { listener.withLock { $0 }?.channel.close(promise: nil) }

    private struct ServerStopping: Error {}

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
}
