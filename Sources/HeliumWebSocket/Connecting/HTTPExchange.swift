internal import HeliumCore
internal import NIOCore
internal import NIOTLS

/// Sends one request over a channel and takes one answer; then the channel goes on with another protocol.
///
/// NIO's own decoder loses what a server sends right after its answer if the end of the connection comes with it.
final class HTTPExchange: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: ByteBuffer
    private let answer: EventLoopPromise<HTTPAnswer>
    private let isTunnel: Bool
    /// Called before the request is given to the network: over TLS, when the handshake is over.
    private let requestLeaves: @Sendable () -> Void
    private let isSecure: Bool
    private var reader: HTTPAnswerReader
    private var unread = ByteBuffer()
    private var isOver = false

    init(
        _ request: HTTPRequestText,
        isSecure: Bool,
        requestLeaves: @escaping @Sendable () -> Void,
        answer: EventLoopPromise<HTTPAnswer>
    ) {
        self.request = ByteBuffer(string: request.text)
        self.answer = answer
        isTunnel = request.isTunnel
        self.isSecure = isSecure
        self.requestLeaves = requestLeaves
        reader = HTTPAnswerReader(isTunnel: request.isTunnel)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if !isSecure { requestLeaves() }
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { requestLeaves() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        unread.writeBuffer(&bytes)
        guard !isOver else { return }
        do throws(HTTPAnswerReader.Malformed) {
            guard let answer = try reader.next(&unread) else { return }
            guard !isTunnel || unread.readableBytes == 0 else {
                // Nobody behind the proxy has anything to say before he is asked.
                throw HTTPAnswerReader.Malformed(description: "the proxy sent more than its answer")
            }
            finish(.success(answer))
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<HTTPAnswer, any Error>) {
        guard !isOver else { return }
        isOver = true
        answer.completeWith(result)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(.failure(error)) }

    func channelInactive(context: ChannelHandlerContext) {
        finish(reader.end().map { .success($0) } ?? .failure(ChannelError.eof))
        context.fireChannelInactive()
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        if unread.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(unread))
            context.fireChannelReadComplete()
        }
        context.leavePipeline(removalToken: removalToken)
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish(.failure(ChannelError.eof)) }
}

extension HTTPExchange {
    /// Asks over a channel, and gives the answer to `proceed`, which may add handlers: they get what follows the answer. To be
    /// called on the channel's event loop.
    ///
    /// - Parameters:
    ///   - isSecure: Whether TLS carries the request: it waits for the end of the handshake.
    ///   - requestLeaves: Called before the request is given to the network.
    static func run(
        _ request: HTTPRequestText,
        on channel: any Channel,
        isSecure: Bool = false,
        requestLeaves: @escaping @Sendable () -> Void = {},
        proceed: @escaping @Sendable (HTTPAnswer) throws -> Void
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.preconditionInEventLoop()
        let pipeline = channel.pipeline.syncOperations
        let promise = channel.eventLoop.makePromise(of: HTTPAnswer.self)
        let exchange = HTTPExchange(request, isSecure: isSecure, requestLeaves: requestLeaves, answer: promise)
        // Runs within the arrival of the answer, so that nothing comes between.
        let done = promise.futureResult.assumeIsolated().flatMapThrowing { answer in
            try proceed(answer)
            pipeline.removeHandler(exchange, promise: nil)
        }
        do { try pipeline.addHandler(exchange) } catch { promise.fail(error) }
        return done.nonisolated()
    }
}
