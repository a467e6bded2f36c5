internal import HeliumCore
internal import NIOCore
internal import NIOTLS

/// Sends one request over a channel and receives one response. After that, the channel continues with another protocol.
///
/// NIO's own decoder loses data that a server sends right after its response if the end of the connection arrives with
/// it.
final class HTTPExchange: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: ByteBuffer
    private let answer: EventLoopPromise<RawHTTPResponse>
    private let isTunnel: Bool
    /// Called before the request is passed to the network; over TLS, after the handshake.
    private let requestLeaves: @Sendable () -> Void
    private let isSecure: Bool
    private var reader: RawHTTPResponseReader
    private var unread = ByteBuffer()
    private var isOver = false

    init(
        _ request: HTTPRequestText,
        isSecure: Bool,
        requestLeaves: @escaping @Sendable () -> Void,
        answer: EventLoopPromise<RawHTTPResponse>
    ) {
        self.request = ByteBuffer(string: request.text)
        self.answer = answer
        isTunnel = request.isTunnel
        self.isSecure = isSecure
        self.requestLeaves = requestLeaves
        reader = RawHTTPResponseReader(isTunnel: request.isTunnel)
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
        do throws(RawHTTPResponseReader.Malformed) {
            let response = try unread.take { bytes, consumed throws(RawHTTPResponseReader.Malformed) in
                try reader.next(bytes, consumed: &consumed)
            }
            guard let answer = response else { return }
            guard !isTunnel || unread.readableBytes == 0 else {
                // A server behind the proxy sends nothing before it has received a request.
                throw RawHTTPResponseReader.Malformed(description: "the proxy sent data after its response")
            }
            finish(.success(answer))
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<RawHTTPResponse, any Error>) {
        guard !isOver else { return }
        isOver = true
        answer.completeWith(result)
    }

    /// Finishes with the response as far as it has arrived, which tells more than the error that cut it.
    private func finish(endedBy error: any Error) {
        finish(reader.end().map { .success($0) } ?? .failure(error))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { finish(endedBy: error) }

    func channelInactive(context: ChannelHandlerContext) {
        finish(endedBy: ChannelError.eof)
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
    /// Sends a request over a channel and passes the response to `proceed`, which may add handlers. They receive the
    /// data after the response. Call it on the channel's event loop.
    ///
    /// - Parameters:
    ///   - isSecure: Whether TLS carries the request, which then waits for the end of the handshake.
    ///   - requestLeaves: Called before the request is passed to the network.
    static func run(
        _ request: HTTPRequestText,
        on channel: any Channel,
        isSecure: Bool = false,
        requestLeaves: @escaping @Sendable () -> Void = {},
        proceed: @escaping @Sendable (RawHTTPResponse) throws -> Void
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.preconditionInEventLoop()
        let pipeline = channel.pipeline.syncOperations
        let promise = channel.eventLoop.makePromise(of: RawHTTPResponse.self)
        let exchange = HTTPExchange(request, isSecure: isSecure, requestLeaves: requestLeaves, answer: promise)
        // Runs during the arrival of the response, so that no other event comes in between.
        let done = promise.futureResult.assumeIsolated().flatMapThrowing { answer in
            try proceed(answer)
            pipeline.removeHandler(exchange, promise: nil)
        }
        do { try pipeline.addHandler(exchange) } catch { promise.fail(error) }
        return done.nonisolated()
    }
}
