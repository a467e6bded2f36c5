internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// One live client as the protocols see it: replies and pushes go out in order, and within a number of bytes.
final class LiveConnection: Sendable {
    private struct State {
        /// While a request is answered pushes wait, so that a reply comes before the push that it caused.
        var isAnswering = false
        var held: [[UInt8]] = []
        /// Bytes held, or handed to the channel and not sent yet.
        var waiting = 0
        var isClosed = false
        var lastWrite: EventLoopFuture<Void>?
    }

    /// The client's address in numbers.
    let address: String
    /// Which channel it goes over.
    var channelID: ObjectIdentifier { ObjectIdentifier(channel) }
    private let channel: any Channel
    private let maximumWaiting: Int
    private let state = Guarded(State())

    init(channel: any Channel, maximumWaiting: Int) {
        self.channel = channel
        self.maximumWaiting = maximumWaiting
        address = channel.remoteAddress?.ipAddress ?? ""
    }

    func beginAnswer() { state.withLock { $0.isAnswering = true } }

    /// Sends the reply and what was pushed meanwhile.
    func finishAnswer(_ bytes: [UInt8]?) {
        state.withLock { state in
            state.isAnswering = false
            if let bytes {
                state.waiting += bytes.count
                send(bytes, &state)
            }
            for held in state.held { send(held, &state) }
            state.held = []
        }
        closeIfSlow()
    }

    /// Sends a push, behind the reply that is being made.
    func push(_ bytes: [UInt8]) {
        state.withLock { state in
            if state.isClosed { return }
            state.waiting += bytes.count
            if state.isAnswering {
                state.held.append(bytes)
            } else {
                send(bytes, &state)
            }
        }
        closeIfSlow()
    }

    /// Waits until everything is sent; gives a client up that takes longer than a few seconds to read it.
    func drain() async {
        guard let last = state.withLock({ $0.lastWrite }) else { return }
        let timer = channel.eventLoop.scheduleTask(in: .seconds(5)) { [channel] in channel.close(promise: nil) }
        try? await last.get()
        timer.cancel()
    }

    /// Ends the connection as its protocol does.
    func sayGoodbye() { channel.writeAndFlush(LiveOutput.goodbye, promise: nil) }

    /// How full the queue is, from 0 to 1.
    var fill: Double { state.withLock { Double($0.waiting) / Double(maximumWaiting) } }

    /// Ends the connection without a word.
    func drop() {
        state.withLock { $0.isClosed = true }
        channel.close(promise: nil)
    }

    /// Called under the lock, which gives what is sent its order; the write itself always happens later, on the
    /// channel's own thread, so that its end can take the lock.
    private func send(_ bytes: [UInt8], _ state: inout State) {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        state.lastWrite = promise.futureResult
        promise.futureResult.whenComplete { [self] _ in self.state.withLock { $0.waiting -= bytes.count } }
        channel.eventLoop.execute { [channel] in
            channel.writeAndFlush(LiveOutput.object(bytes), promise: promise)
        }
    }

    /// A client that does not read what it asked for would make the queue grow for ever.
    private func closeIfSlow() {
        if state.withLock({ $0.waiting > maximumWaiting }) { drop() }
    }
}
