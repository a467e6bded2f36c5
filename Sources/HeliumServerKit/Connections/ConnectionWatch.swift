internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// Closes a connection that makes no progress: no bytes arrive, the client does not read what is written, and the
/// server is not working on a request of the connection.
///
/// A client reads what is written if the bytes that wait for the socket become fewer. A response is one long write, which
/// ends only with its last byte, so the end of a write does not show progress.
///
/// Hummingbird's own idle timeouts pause while a response is being written (HTTP/1.1) and while a stream is open
/// (HTTP/2). A client that never reads could therefore keep its connection open without limit.
final class ConnectionWatch: Sendable {
    private struct State {
        var requestsInProgress = 0
        var lastProgress: NIODeadline
        /// The number of bytes that the socket had accepted at the last check.
        var sentBytes = 0
        var timer: Scheduled<Void>?
        var isOver = false
        /// The streamed response bodies of this connection.
        var streams: [ObjectIdentifier: ReplyStream] = [:]
        /// Whether new streams are finished at once.
        var endsStreams = false
    }

    private let channel: any Channel
    private let patience: TimeAmount
    private let state: Guarded<State>
    /// The number of checks during ``patience``. The time after which a connection is closed is exact to such a part.
    private static let checks: Int64 = 4

    init(channel: any Channel, patience: TimeAmount) {
        self.channel = channel
        self.patience = patience
        state = Guarded(State(lastProgress: channel.eventLoop.now))
    }

    /// The time of the event loop, which a test can set.
    private var now: NIODeadline { channel.eventLoop.now }

    func start() { schedule(at: now + interval) }

    private var interval: TimeAmount { .nanoseconds(max(1, patience.nanoseconds / Self.checks)) }

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
            state.lastProgress = now
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

    fileprivate func progressed() { state.withLock { $0.lastProgress = now } }

    private func schedule(at deadline: NIODeadline) {
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) { [weak self] () -> Void in self?.check() }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.isOver
        }
        if isOver { timer.cancel() }
    }

    private func check() {
        let waiting = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let written = (try? channel.pipeline.syncOperations.handler(type: Handler.self))?.writtenBytes ?? 0
        let now = now
        let end = state.withLock { state in
            let sent = written - waiting
            if sent > state.sentBytes { state.lastProgress = now }
            state.sentBytes = sent
            return (state.requestsInProgress > 0 ? now : state.lastProgress) + patience
        }
        if end <= now {
            channel.close(promise: nil)
        } else {
            schedule(at: min(end, now + interval))
        }
    }

    /// The first handler in the connection's pipeline. It reports all progress to the watch.
    final class Handler: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny
        typealias OutboundIn = IOData
        typealias OutboundOut = IOData

        private let watch: ConnectionWatch
        /// The number of bytes that were passed to the socket, including those that wait for it.
        fileprivate private(set) var writtenBytes = 0
        /// Whether bytes have arrived.
        private(set) var hasRead = false

        init(_ watch: ConnectionWatch) { self.watch = watch }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            writtenBytes += unwrapOutboundIn(data).readableBytes
            context.write(data, promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            hasRead = true
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
