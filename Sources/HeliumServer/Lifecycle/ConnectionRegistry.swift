internal import NIOCore
internal import Synchronization

/// The open connections: closes those that never send a request, and the ones that outlive the server's end.
final class ConnectionRegistry: Sendable {
    private struct Entry {
        let channel: any Channel
        /// Closes the connection unless its first request comes first.
        var deadline: Scheduled<Void>?
    }

    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var isStopping = false
    }

    private let firstRequest: TimeAmount
    private let grace: TimeAmount
    private let state = Mutex(State())

    init(limits: ServerLimits) {
        firstRequest = TimeAmount(limits.firstRequest)
        grace = TimeAmount(limits.shutdown)
    }

    /// How many connections are open.
    var count: Int { state.withLock { $0.open.count } }

    func opened(_ channel: any Channel) {
        let deadline = channel.eventLoop.scheduleTask(in: firstRequest) { channel.close(promise: nil) }
        let isStopping = state.withLock { state in
            state.open[ObjectIdentifier(channel)] = Entry(channel: channel, deadline: deadline)
            return state.isStopping
        }
        channel.closeFuture.whenComplete { [self] _ in
            let entry = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
            entry?.deadline?.cancel()
        }
        if isStopping { channel.close(promise: nil) }
    }

    /// The head of a request has come over `channel`, which is a connection or one stream of it.
    func requestArrived(on channel: any Channel) {
        // Over HTTP/2 the stream's parent is the connection; the parent of a connection (the listener) is not here.
        for candidate in [channel, channel.parent].compactMap({ $0 }) {
            let deadline = state.withLock { state -> Scheduled<Void>? in
                let deadline = state.open[ObjectIdentifier(candidate)]?.deadline
                state.open[ObjectIdentifier(candidate)]?.deadline = nil
                return deadline
            }
            deadline?.cancel()
        }
    }

    /// Closes at once what has not sent a request yet, and all the rest after the time that is left to it.
    func stop() {
        let entries = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
        for entry in entries {
            if entry.deadline != nil {
                entry.channel.close(promise: nil)
            } else {
                let task = entry.channel.eventLoop.scheduleTask(in: grace) { entry.channel.close(promise: nil) }
                entry.channel.closeFuture.whenComplete { _ in task.cancel() }
            }
        }
    }
}
