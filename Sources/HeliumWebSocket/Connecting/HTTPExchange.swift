internal import NIOCore
internal import NIOHTTP1

/// An answer to a request that asks for another protocol on the connection.
struct ExchangeAnswer: Sendable {
    let head: HTTPResponseHead
    /// The body's beginning.
    let body: ByteBuffer
}

/// Sends one request over a channel and takes one answer; then the channel can go on with another protocol.
///
/// In front of it stand NIO's HTTP encoder and decoder. Bytes after the answer go on to the handlers behind, once the
/// decoder is taken out.
final class HTTPExchange: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// How much of an answer's body is kept.
    static let bodyLimit = 4096

    private let request: HTTPRequestHead
    private let answer: EventLoopPromise<ExchangeAnswer>
    private var head: HTTPResponseHead?
    private var body = ByteBuffer()
    private var isOver = false

    init(_ request: HTTPRequestHead, answer: EventLoopPromise<ExchangeAnswer>) {
        self.request = request
        self.answer = answer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(request)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else {
            context.fireChannelRead(data)
            return
        }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body(var part):
            part = part.readSlice(length: min(part.readableBytes, Self.bodyLimit - body.readableBytes)) ?? part
            body.writeBuffer(&part)
            if body.readableBytes >= Self.bodyLimit { finish() }
        case .end:
            finish()
        }
    }

    private func finish() {
        guard let head, !isOver else { return }
        isOver = true
        answer.succeed(ExchangeAnswer(head: head, body: body))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else {
            context.fireErrorCaught(error)
            return
        }
        isOver = true
        answer.fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // An answer without a length ends here.
        finish()
        if !isOver {
            isOver = true
            answer.fail(ChannelError.eof)
        }
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if !isOver { answer.fail(ChannelError.eof) }
    }
}

extension HTTPExchange {
    /// Asks over a channel, and gives the answer to `proceed`, which may add handlers that the bytes after the answer
    /// reach; then HTTP leaves the channel.
    static func run(
        _ request: HTTPRequestHead,
        on channel: any Channel,
        proceed: @escaping @Sendable (ExchangeAnswer) throws -> Void
    ) -> EventLoopFuture<Void> {
        let promise = channel.eventLoop.makePromise(of: ExchangeAnswer.self)
        let installed = channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = HTTPRequestEncoder()
            let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
            let exchange = HTTPExchange(request, answer: promise)
            let left = promise.futureResult.assumeIsolated().flatMap { answer in
                do { try proceed(answer) } catch { return channel.eventLoop.makeFailedFuture(error) }
                return EventLoopFuture.andAllSucceed(
                    [pipeline.removeHandler(decoder), pipeline.removeHandler(encoder)],
                    on: channel.eventLoop
                )
                .flatMap { channel.eventLoop.makeSucceededVoidFuture() }
            }
            .flatMap { pipeline.removeHandler(exchange) }
            try pipeline.addHandlers([encoder, decoder, exchange])
            return left.nonisolated()
        }
        return installed.flatMap { $0 }
    }
}
