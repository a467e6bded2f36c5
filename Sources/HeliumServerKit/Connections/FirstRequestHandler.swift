internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Reads the head of the first request of an HTTP/1.1 connection. Then it upgrades the connection to a WebSocket,
/// rejects the handshake, or passes the connection on to the HTTP handlers.
///
/// NIO's own upgrade handler loses a request that asks for another protocol, such as `Upgrade: h2c`. Such a request
/// must be served as if it did not ask for an upgrade (RFC 9110 §7.8).
///
/// The handler is confined to the channel's event loop.
final class FirstRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart
    typealias Conversation = ServerConnection.Conversation

    private enum State {
        case waiting
        /// The decision on a handshake is pending.
        case deciding(HTTPRequestHead, hasEnded: Bool)
        /// The handshake is accepted, and the rest of its request has not arrived.
        case accepted(HTTPRequestHead, LiveUpgrades.Acceptance)
        /// The HTTP handlers are being replaced. Data that arrives is kept for the WebSocket handlers.
        case upgrading([NIOAny])
        case over
    }

    private let encoder: HTTPResponseEncoder
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private let upgrades: LiveUpgrades
    private let conversation: EventLoopPromise<Conversation>
    /// Adds the handlers of a connection that continues with HTTP.
    private let continueHTTP: (any Channel) throws -> Conversation
    private var state = State.waiting

    init(
        encoder: HTTPResponseEncoder,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>,
        upgrades: LiveUpgrades,
        conversation: EventLoopPromise<Conversation>,
        continueHTTP: @escaping (any Channel) throws -> Conversation
    ) {
        self.encoder = encoder
        self.decoder = decoder
        self.upgrades = upgrades
        self.conversation = conversation
        self.continueHTTP = continueHTTP
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .waiting:
            guard case .head(let head) = unwrapInboundIn(data) else { return fail(context, ChannelError.inputClosed) }
            guard !upgrades.isHandshake(head) else { return decide(on: head, context) }
            do {
                try leaveToHTTP(context)
                context.fireChannelRead(data)
                context.pipeline.syncOperations.removeHandler(self, promise: nil)
            } catch {
                fail(context, error)
            }
        case .deciding(let head, _):
            if case .end = unwrapInboundIn(data) { state = .deciding(head, hasEnded: true) }
        case .accepted(let head, let accept):
            if case .end = unwrapInboundIn(data) { upgrade(context, head, accept) }
        case .upgrading(let kept): state = .upgrading(kept + [data])
        case .over: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, case .waiting = state else { return fail(context, error) }
        // Hummingbird rejects later requests that are not HTTP.
        refuse(context, ServerReply(status: .badRequest))
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(context, ChannelError.eof)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { return fail(context, ChannelError.inputClosed) }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { conversation.fail(ChannelError.eof) }

    private func fail(_ context: ChannelHandlerContext, _ error: any Error) {
        if case .over = state { return }
        state = .over
        conversation.fail(error)
        context.close(promise: nil)
    }

    private func leaveToHTTP(_ context: ChannelHandlerContext) throws {
        let outcome = try continueHTTP(context.channel)
        state = .over
        conversation.succeed(outcome)
    }

    private func refuse(_ context: ChannelHandlerContext, _ refusal: ServerReply) {
        state = .over
        do {
            try context.pipeline.syncOperations.addHandler(UpgradeRefusal(refusal), position: .after(self))
            conversation.succeed(.refused)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            conversation.fail(error)
            context.close(promise: nil)
        }
    }
}

// MARK: Handshakes

extension FirstRequestHandler {
    private func decide(on head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state = .deciding(head, hasEnded: false)
        let channel = context.channel
        let decision = channel.eventLoop.makeFutureWithTask { [upgrades] in
            await upgrades.decision(on: head, over: channel)
        }
        let bound = NIOLoopBound((self, context), eventLoop: channel.eventLoop)
        decision.whenSuccess { decision in
            let (handler, context) = bound.value
            handler.decided(decision, context)
        }
    }

    private func decided(_ decision: LiveUpgrades.Decision, _ context: ChannelHandlerContext) {
        guard case .deciding(let head, let hasEnded) = state else { return }
        switch decision {
        case .refused(let refusal): refuse(context, refusal)
        case .accepted(let accept) where hasEnded: upgrade(context, head, accept)
        case .accepted(let accept): state = .accepted(head, accept)
        }
    }

    /// Sends the response that accepts the handshake, and replaces the HTTP handlers with those of the WebSocket.
    private func upgrade(
        _ context: ChannelHandlerContext,
        _ head: HTTPRequestHead,
        _ accept: @escaping LiveUpgrades.Acceptance
    ) {
        state = .upgrading([])
        let channel = context.channel
        let bound = NIOLoopBound((self, context), eventLoop: channel.eventLoop)
        Self.proof.buildUpgradeResponse(
            channel: channel,
            upgradeRequest: head,
            initialResponseHeaders: ["Connection": "upgrade", "Upgrade": "websocket"]
        )
        .flatMap { fields in
            let (handler, context) = bound.value
            let response = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: fields)
            return context.pipeline.syncOperations.removeHandler(handler.decoder).flatMap {
                let (handler, context) = bound.value
                return context.writeAndFlush(handler.wrapOutboundOut(.head(response)))
            }
        }
        .flatMap {
            let (handler, context) = bound.value
            return context.pipeline.syncOperations.removeHandler(handler.encoder)
        }
        .flatMapThrowing { try accept(channel) }
        .whenComplete { result in
            let (handler, context) = bound.value
            handler.upgraded(result, context)
        }
    }

    private func upgraded(_ result: Result<Conversation, any Error>, _ context: ChannelHandlerContext) {
        guard case .upgrading(let kept) = state, case .success(let outcome) = result else {
            if case .failure(let error) = result { fail(context, error) }
            return
        }
        state = .over
        conversation.succeed(outcome)
        for data in kept { context.fireChannelRead(data) }
        if !kept.isEmpty { context.fireChannelReadComplete() }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Creates the header field that proves that the server has read the key (RFC 6455 §4.2.2).
    private static let proof = NIOTypedWebSocketServerUpgrader<Bool>(
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededFuture(true) }
    )
}
