internal import NIOCore

/// Closes a connection of a server that stops, so that its client gets all that was written and the stop does not wait
/// for a client that keeps its end open.
///
/// Without it, SwiftNIO's own ways to close fail both:
///
/// - A channel that is closed drops what the socket has not taken yet, and NIOSSL what was not flushed. Hummingbird
///   closes connections directly after it has written the last bytes of a response.
/// - NIOSSL waits up to five seconds for the client to end TLS, for which a client has to read an idle connection.
///
/// Until the server stops, the handler only passes on. It is confined to the channel's event loop, and stands above TLS.
final class ClosingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny
    typealias OutboundOut = ByteBuffer

    /// The time that a client has to close its end after the last response; as in Go's server. A socket that is closed
    /// before sends a reset for what the client has sent, at which the client may lose the response.
    private let patience: TimeAmount
    /// The same time for an idle connection.
    var idlePatience = TimeAmount.zero
    private var isStopping = false
    /// Whether the handlers above are being informed that the server stops. A connection that they close at once is idle.
    private var isAnnouncing = false
    private var isClosing = false
    private var isOutputClosed = false
    private var hasEnded = false
    private var timer: Scheduled<Void>?
    private var promises: [EventLoopPromise<Void>] = []

    init(patience: TimeAmount = .milliseconds(500)) { self.patience = patience }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else {
            context.fireUserInboundEventTriggered(event)
            if isOutputClosed, case ChannelEvent.inputClosed? = event as? ChannelEvent { end(context) }
            return
        }
        isStopping = true
        isAnnouncing = true
        context.fireUserInboundEventTriggered(event)
        isAnnouncing = false
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isStopping, mode == .all, !hasEnded else { return context.close(mode: mode, promise: promise) }
        if let promise { promises.append(promise) }
        guard !isClosing else { return }
        isClosing = true
        context.flush()
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let isIdle = isAnnouncing && waiting == 0
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.endOutput(context, isIdle: isIdle)
        }
        // The socket takes the empty bytes when it has taken all before.
        (context.channel.socketContext ?? context).writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }

    /// Ends TLS and this side of the connection.
    private func endOutput(_ context: ChannelHandlerContext, isIdle: Bool) {
        guard context.channel.isActive else { return end(context) }
        isOutputClosed = true
        context.close(mode: .output, promise: nil)
        let patience = isIdle ? idlePatience : patience
        guard patience > .zero else { return end(context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: patience) {
            let (handler, context) = bound.value
            handler.end(context)
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        hasEnded = true
        timer?.cancel()
        timer = nil
        let closed = promises.isEmpty ? nil : context.eventLoop.makePromise(of: Void.self)
        for promise in promises { closed?.futureResult.cascade(to: promise) }
        promises = []
        context.channel.closeSocket(promise: closed)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A request after the last one is not processed.
        if !isClosing { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }
}

extension Channel {
    /// The place in the pipeline from which a write or a close reaches the socket directly.
    fileprivate var socketContext: ChannelHandlerContext? {
        try? pipeline.syncOperations.context(handlerType: ConnectionWatch.Handler.self)
    }

    /// Closes the socket, whatever its handlers still wait for. Call it on the channel's event loop.
    func closeSocket(promise: EventLoopPromise<Void>? = nil) {
        if let context = socketContext { context.close(promise: promise) } else { close(promise: promise) }
    }
}
