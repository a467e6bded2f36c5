internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// The open connections: closes those that never send a request or fall silent, and the ones that outlive the server's
/// end.
final class ConnectionRegistry: Sendable {
    private struct Entry {
        let channel: any Channel
        let watch: ConnectionWatch
        /// Closes the connection unless its first request comes first.
        var deadline: Scheduled<Void>?
    }

    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var isStopping = false
    }

    private let firstRequest: TimeAmount
    private let idle: TimeAmount
    private let grace: TimeAmount
    private let state = Guarded(State())

    init(limits: ServerLimits) {
        firstRequest = TimeAmount(limits.firstRequest)
        idle = TimeAmount(limits.idle)
        grace = TimeAmount(limits.shutdown)
    }

    /// How many connections are open.
    var count: Int { state.withLock { $0.open.count } }

    /// Notes a connection that was just accepted; called on its event loop, before its pipeline has any handler.
    func opened(_ channel: any Channel) throws {
        let watch = ConnectionWatch(channel: channel, patience: idle)
        try channel.pipeline.syncOperations.addHandler(ConnectionWatch.Handler(watch))
        watch.start()
        let deadline = channel.eventLoop.scheduleTask(in: firstRequest) { channel.close(promise: nil) }
        let isStopping = state.withLock { state in
            state.open[ObjectIdentifier(channel)] = Entry(channel: channel, watch: watch, deadline: deadline)
            return state.isStopping
        }
        channel.closeFuture.whenComplete { [self] _ in
            let entry = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
            entry?.deadline?.cancel()
            entry?.watch.stop()
        }
        if isStopping { channel.close(promise: nil) }
    }

    /// The head of a request has come over `channel`, which is a connection or one stream of it. The watch that is
    /// returned must be told when the request has ended.
    func requestArrived(on channel: any Channel) -> ConnectionWatch? {
        // Over HTTP/2 the stream's parent is the connection; the parent of a connection (the listener) is not here.
        let candidates = [channel, channel.parent].compactMap { $0.map(ObjectIdentifier.init) }
        let (watch, deadline) = state.withLock { state -> (ConnectionWatch?, Scheduled<Void>?) in
            guard let connection = candidates.first(where: { state.open[$0] != nil }) else { return (nil, nil) }
            return (state.open[connection]?.watch, state.open[connection]?.deadline.take())
        }
        deadline?.cancel()
        watch?.requestBegan()
        return watch
    }

    /// Gives up a connection that has become a WebSocket; called on its event loop.
    func released(_ channel: any Channel) {
        let entry = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
        entry?.deadline?.cancel()
        entry?.watch.stop()
        let pipeline = channel.pipeline.syncOperations
        if let context = try? pipeline.context(handlerType: ConnectionWatch.Handler.self) {
            pipeline.removeHandler(context: context, promise: nil)
        }
    }

    /// Closes at once what has not sent a request yet, ends the bodies that would go on, and closes all the rest after the time that is left to it.
    func stop() {
        let entries = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
        for entry in entries {
            entry.watch.endStreams()
            if entry.deadline != nil {
                entry.channel.close(promise: nil)
            } else {
                let task = entry.channel.eventLoop.scheduleTask(in: grace) { entry.channel.close(promise: nil) }
                entry.channel.closeFuture.whenComplete { _ in task.cancel() }
            }
        }
    }
}
