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
    final class Handler: ChannelInboundHandler {
        typealias InboundIn = NIOAny

        private let watch: ConnectionWatch

        init(_ watch: ConnectionWatch) { self.watch = watch }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            watch.progressed()
            context.fireChannelRead(data)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            watch.progressed()
            context.fireChannelWritabilityChanged()
        }
    }
}
