internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// Closes a connection on which nothing moves: no byte comes, what is written is not taken, and the server is not
/// working on any of its requests.
///
/// Hummingbird's own idle timeouts stop while an answer is being written (HTTP/1.1) and while a stream is open
/// (HTTP/2), so that a client that never reads would hold its connection for ever.
final class ConnectionWatch: Sendable {
    private struct State {
        var requestsInProgress = 0
        var lastProgress = NIODeadline.now()
        var timer: Scheduled<Void>?
        var isOver = false
        /// The bodies that go on over this connection.
        var streams: [ObjectIdentifier: ReplyStream] = [:]
        /// Whether no stream may begin any more.
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

    /// A body without an end is being sent: the connection lives as long as it does, and the other way round.
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

    /// Ends the bodies that would go on: the client is gone, or the server stops.
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

    /// Stands first in the connection's pipeline and tells the watch of everything that moves.
    final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let watch: ConnectionWatch

        init(_ watch: ConnectionWatch) { self.watch = watch }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            watch.progressed()
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            // A client that closes its side of a connection reads no more of a live stream either.
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
