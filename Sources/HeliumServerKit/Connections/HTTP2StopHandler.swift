internal import NIOCore

/// Ends a connection of HTTP/2 gracefully when the server stops (RFC 9113 §6.8).
///
/// Without open streams the client gets GOAWAY with the last stream that was processed, and the connection closes. It can
/// send requests of later streams again. With open streams it gets GOAWAY with the highest stream first, so that it opens
/// no more, and the rest after the last stream has ended.
///
/// Hummingbird would send the first GOAWAY at any time and wait for the acknowledgement of a PING. After that GOAWAY,
/// swift-nio-http2 rejects new streams as soon as no stream is open, and Hummingbird closes the connection at the first
/// rejected stream, without the second GOAWAY: the client cannot know which of its requests were processed. Both also
/// reset streams whose response waits for the client's window. So the handler writes its frames itself, stands below
/// NIOHTTP2Handler, and hides the stop from the handlers above.
///
/// The handler is confined to the channel's event loop.
final class HTTP2StopHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let registry: ConnectionRegistry
    private var scanner = HTTP2FrameScanner()
    private var openStreams = 0
    private var hasOpened = false
    private var isStopping = false
    private var context: ChannelHandlerContext?

    init(_ registry: ConnectionRegistry) { self.registry = registry }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        registry.becameHTTP2(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        scanner.read(unwrapInboundIn(data).readableBytesView)
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        guard !isStopping else { return }
        isStopping = true
        if openStreams > 0 { send(lastStream: 0x7FFF_FFFF, context) } else { finish(context) }
    }

    private func streamOpened(_ channel: any Channel) {
        if !hasOpened { registry.headArrived(on: channel) }
        hasOpened = true
        openStreams += 1
    }

    private func streamClosed() {
        openStreams -= 1
        if isStopping, openStreams == 0, let context { finish(context) }
    }

    private func finish(_ context: ChannelHandlerContext) {
        send(lastStream: scanner.lastStream, context)
        context.close(promise: nil)
    }

    /// Sends GOAWAY without an error. Streams write whole frames in one call, so this frame is never inside another.
    private func send(lastStream: UInt32, _ context: ChannelHandlerContext) {
        var frame = ByteBuffer()
        frame.writeBytes([0, 0, 8, 7, 0, 0, 0, 0, 0])
        frame.writeInteger(lastStream)
        frame.writeInteger(UInt32(0))
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    /// Registers a stream with the handler of its connection, which runs on the same event loop.
    final class Stream: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private var connection: HTTP2StopHandler?

        func handlerAdded(context: ChannelHandlerContext) {
            guard let channel = context.channel.parent else { return }
            connection = try? channel.pipeline.syncOperations.handler(type: HTTP2StopHandler.self)
            connection?.streamOpened(channel)
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            connection?.streamClosed()
            connection = nil
        }
    }
}
