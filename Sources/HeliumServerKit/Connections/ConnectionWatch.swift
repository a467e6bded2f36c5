internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// Closes a connection that makes no progress: no bytes arrive, the client does not read what is written, and the
/// server is not working on a request of the connection.
///
/// Hummingbird's own idle timeouts pause while a response is being written (HTTP/1.1) and while a stream is open
/// (HTTP/2). A client that never reads could therefore keep its connection open without limit.
final class ConnectionWatch: Sendable {
    private struct State {
        var requestsInProgress = 0
        var lastProgress = NIODeadline.now()
        var timer: Scheduled<Void>?
        var isOver = false
        /// The streamed response bodies of this connection.
        var streams: [ObjectIdentifier: ReplyStream] = [:]
        /// Whether new streams are finished at once.
        var endsStreams = false
    }

    private let channel: any Channel
    private let patience: TimeAmount
    private let state = Guarded(State())

    init(channel: any Channel, patience: TimeAmount) {
        self.channel = channel
        self.patience = patience
    }

    func start() { schedule(at: .now() + patience) }

    func stop() {
        let timer = state.withLock { state in
            state.isOver = true
            return state.timer.take()
        }
        timer?.cancel()
    }

    func requestBegan() { state.withLock { $0.requestsInProgress += 1 } }

    func requestEnded() {
        state.withLock { state in
            state.requestsInProgress -= 1
            state.lastProgress = .now()
        }
    }

    /// Registers a streamed response body. The connection stays open as long as the stream, and the stream ends with
    /// the connection.
    func streamBegan(_ stream: ReplyStream) {
        let isLate = state.withLock { state in
            state.requestsInProgress += 1
            state.streams[ObjectIdentifier(stream)] = stream
            return state.endsStreams
        }
        if isLate { stream.finish() }
    }

    func streamEnded(_ stream: ReplyStream) {
        state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
        requestEnded()
    }

    /// Finishes all streamed response bodies, because the client has disconnected or the server stops.
    func endStreams() {
        let streams = state.withLock { state in
            state.endsStreams = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish() }
    }

    func progressed() { state.withLock { $0.lastProgress = .now() } }

    private func schedule(at deadline: NIODeadline) {
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) { [weak self] () -> Void in self?.check() }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    private func check() {
        let end = state.withLock { state in
            (state.requestsInProgress > 0 ? .now() : state.lastProgress) + patience
        }
        if end <= .now() {
            channel.close(promise: nil)
        } else {
            schedule(at: end)
        }
    }

    /// The first handler in the connection's pipeline. It reports all progress to the watch.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let watch: ConnectionWatch

        init(_ watch: ConnectionWatch) { self.watch = watch }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            watch.progressed()
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // A client that closes its sending side does not read more of a live stream.
            if case ChannelEvent.inputClosed? = event as? ChannelEvent { watch.endStreams() }
            context.fireUserInboundEventTriggered(event)
        }

        func channelInactive(context: ChannelHandlerContext) {
            watch.endStreams()
            context.fireChannelInactive()
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            watch.progressed()
            context.fireChannelWritabilityChanged()
        }
    }
}
