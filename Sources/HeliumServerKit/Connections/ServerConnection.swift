internal import HTTPTypes
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import NIOSSL
internal import NIOTLS

/// Sets up and serves one connection of the server's port: TLS if the server has a certificate, then HTTP/2, HTTP/1.1,
/// or a WebSocket if the first HTTP/1.1 request asks for one.
struct ServerConnection: HTTPChannelHandler {
    /// The encryption and the HTTP versions that the port offers.
    enum Transport: Sendable {
        /// HTTP/1.1 without TLS.
        case http1
        /// HTTP/2 without TLS from the first byte, and no other protocol.
        case http2
        /// HTTP/2 or HTTP/1.1 over TLS, negotiated by ALPN.
        case tls(NIOSSLContext)
    }

    /// The negotiated use of a connection.
    enum Conversation: Sendable {
        case http1(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
        case http2(HTTP2Channel.Value)
        case live(LiveServer, LiveServer.Client)
        /// A handshake was rejected. The connection closes without further work.
        case refused
    }

    struct Value: ServerChildChannelValue {
        let channel: any Channel
    }

    let responder: Responder
    private let transport: Transport
    private let limits: ServerLimits
    private let registry: ConnectionRegistry
    private let upgrades: LiveUpgrades
    private let http2: HTTP2Channel
    private let types = PreparedTypes.all

    init(
        transport: Transport,
        limits: ServerLimits,
        registry: ConnectionRegistry,
        upgrades: LiveUpgrades,
        responder: @escaping Responder
    ) {
        self.transport = transport
        self.limits = limits
        self.registry = registry
        self.upgrades = upgrades
        self.responder = responder
        http2 = HTTP2Channel(
            responder: responder,
            configuration: HTTP2ChannelConfiguration(
                idleTimeout: limits.idle,
                gracefulCloseTimeout: limits.shutdown,
                streamConfiguration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [HTTP2StopHandler.Stream()],
                    idleTimeout: TimeAmount(limits.idle)
                )
            )
        )
    }

    /// Registers the connection. Its handlers are added when it is served, because a `NIOAsyncChannel` that is dropped
    /// before that, when the listener closes, would trap (swift-nio issue 2813).
    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try registry.opened(channel)
            try EarlyArrivals.begin(on: channel)
            return Value(channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let channel = value.channel
        do {
            switch try await channel.eventLoop.flatSubmit({ begin(channel, logger) }).get() {
            case .http1(let connection): await handleHTTP(asyncChannel: connection, logger: logger)
            case .http2(let connection): await http2.handle(value: connection, logger: logger)
            case .live(let server, let client): await server.serve(client)
            case .refused: try await channel.closeFuture.get()
            }
        } catch {
            // For example, a client that disconnects during its TLS handshake or its first request.
            channel.close(promise: nil)
        }
    }
}

extension ServerConnection {
    /// Adds the first handlers and starts reading.
    private func begin(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Conversation> {
        do {
            if case .tls(let context) = transport {
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
            try channel.pipeline.syncOperations.addHandler(ClosingHandler())
            let conversation: EventLoopFuture<Conversation>
            switch transport {
            case .http1: conversation = setUpHTTP1(channel, logger)
            case .http2: conversation = setUpHTTP2(channel, logger)
            case .tls: conversation = try negotiate(channel, logger)
            }
            EarlyArrivals.end(on: channel)
            return conversation
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    private func negotiate(_ channel: any Channel, _ logger: Logger) throws -> EventLoopFuture<Conversation> {
        // The use of an HTTP/1.1 connection is known only after its first request, which arrives after the negotiation.
        // The result is therefore a future of a future.
        let negotiation = NIOTypedApplicationProtocolNegotiationHandler<EventLoopFuture<Conversation>> { result in
            channel.eventLoop.makeCompletedFuture {
                switch result {
                case .negotiated("h2"): setUpHTTP2(channel, logger)
                default: setUpHTTP1(channel, logger)
                }
            }
        }
        try channel.pipeline.syncOperations.addHandler(negotiation)
        return negotiation.protocolNegotiationResult.flatMap { $0 }
    }

    private func setUpHTTP2(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Conversation> {
        do {
            let pipeline = channel.pipeline.syncOperations
            // Requests may be on their way. A client that writes to a closed socket may not read GOAWAY.
            try pipeline.handler(type: ClosingHandler.self).idlePatience = .milliseconds(100)
            try pipeline.addHandler(HTTP2StopHandler(registry))
        } catch {
            // The client has already closed the connection.
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http2.setup(channel: channel, logger: logger).map { .http2($0) }
    }

    private func setUpHTTP1(_ channel: any Channel, _ logger: Logger) -> EventLoopFuture<Conversation> {
        let conversation = channel.eventLoop.makePromise(of: Conversation.self)
        var decoderLimits = NIOHTTPDecoderLimitConfiguration()
        decoderLimits.maxHeaderFieldSize = limits.headerFieldBytes
        decoderLimits.maxHeaderListSize = limits.headerBytes
        decoderLimits.maxHeaderFieldCount = limits.headerFields
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: decoderLimits)
        )
        let first = FirstRequestHandler(
            encoder: encoder,
            decoder: decoder,
            upgrades: upgrades,
            conversation: conversation,
            continueHTTP: { .http1(try continueHTTP1($0, logger)) }
        )
        do {
            try channel.pipeline.syncOperations.addHandlers([encoder, decoder, first])
        } catch {
            // The client has already closed the connection.
            conversation.fail(error)
        }
        return conversation.futureResult
    }

    /// Adds the handlers of a connection that continues with HTTP/1.1.
    private func continueHTTP1(
        _ channel: any Channel,
        _ logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        registry.headArrived(on: channel)
        try channel.pipeline.syncOperations.addHandlers([
            HTTP1Rules(), HTTP1ToHTTPServerCodec(secure: false),
            HTTPConnectionStateHandler(idleTimeout: limits.idle, logger: logger),
        ])
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
    }
}
