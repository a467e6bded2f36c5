internal import HeliumConcurrency
internal import NIOCore
internal import Synchronization

/// The open connections of the HTTP port. Closes connections that never send a request, that become idle, or that
/// remain open after the server has stopped.
final class ConnectionRegistry: Sendable {
    private struct Entry {
        let channel: any Channel
        let watch: ConnectionWatch
        /// The timer that closes the connection unless its first request arrives before.
        var deadline: Scheduled<Void>?
    }

    private struct State {
        var open: [ObjectIdentifier: Entry] = [:]
        var isStopping = false
        /// The open connections by client, including those that have become WebSockets.
        var shares: AddressShare
    }

    /// The time that a client has for its first request after the server stops.
    private static let lastMoment = TimeAmount.milliseconds(100)

    private let firstRequest: TimeAmount
    private let idle: TimeAmount
    private let grace: TimeAmount
    private let state: Guarded<State>

    init(limits: ServerLimits) {
        firstRequest = TimeAmount(limits.firstRequest)
        idle = TimeAmount(limits.idle)
        grace = TimeAmount(limits.shutdown)
        let share = AddressShare(limits.connectionsPerAddress, of: limits.connections, part: limits.sharePerAddress)
        state = Guarded(State(shares: share))
    }

    /// The number of open connections.
    var count: Int { state.withLock { $0.open.count } }

    /// Registers a connection that was just accepted. Must be called on its event loop, before its pipeline has any
    /// handler.
    ///
    /// A connection of a client that has used its share is closed at once. Clients that only hold connections cannot
    /// keep out others.
    func opened(_ channel: any Channel) throws {
        let watch = ConnectionWatch(channel: channel, patience: idle)
        try channel.pipeline.syncOperations.addHandler(ConnectionWatch.Handler(watch))
        watch.start()
        let deadline = channel.eventLoop.scheduleTask(in: firstRequest) { channel.close(promise: nil) }
        let client = AddressShare.client(of: channel.remoteAddress?.ipAddress ?? "")
        let isRefused = state.withLock { state in
            let isRefused = state.isStopping || state.shares.isUsed(by: client)
            state.open[ObjectIdentifier(channel)] = Entry(channel: channel, watch: watch, deadline: deadline)
            state.shares.add(client)
            return isRefused
        }
        channel.closeFuture.whenComplete { [self] _ in
            let entry = state.withLock { state in
                state.shares.remove(client)
                return state.open.removeValue(forKey: ObjectIdentifier(channel))
            }
            entry?.deadline?.cancel()
            entry?.watch.stop()
        }
        if isRefused { channel.close(promise: nil) }
    }

    /// Registers that a request has arrived on a connection. Must be called on its event loop.
    func headArrived(on channel: any Channel) {
        let (deadline, isStopping) = state.withLock { state in
            (state.open[ObjectIdentifier(channel)]?.deadline.take(), state.isStopping)
        }
        deadline?.cancel()
        if isStopping { Self.announceStop(to: channel) }
    }

    /// Registers that a connection uses HTTP/2. Must be called on its event loop.
    func becameHTTP2(_ channel: any Channel) {
        if state.withLock({ $0.isStopping }) { Self.announceStop(to: channel) }
    }

    /// Informs the handlers that are being added to a connection that the server stops.
    private static func announceStop(to channel: any Channel) {
        channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }

    /// Registers that the server works on a request of `channel`, which is a connection or one stream of it.
    ///
    /// - Returns: The connection's watch. The caller must call its `requestEnded()` when the request has ended.
    func requestArrived(on channel: any Channel) -> ConnectionWatch? {
        // Over HTTP/2 the connection is the parent of the stream. The parent of a connection is the listener, which is
        // not in `open`.
        let candidates = [channel, channel.parent].compactMap { $0.map(ObjectIdentifier.init) }
        let watch = state.withLock { state in candidates.compactMap { state.open[$0]?.watch }.first }
        watch?.requestBegan()
        return watch
    }

    /// Removes a connection that has become a WebSocket. Must be called on its event loop.
    func released(_ channel: any Channel) {
        let entry = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
        entry?.deadline?.cancel()
        entry?.watch.stop()
        let pipeline = channel.pipeline.syncOperations
        for context in [
            try? pipeline.context(handlerType: ConnectionWatch.Handler.self),
            try? pipeline.context(handlerType: ClosingHandler.self),
        ] {
            if let context { pipeline.removeHandler(context: context, promise: nil) }
        }
    }

    /// Closes connections that have not sent a request, ends streamed response bodies, and closes the other connections
    /// after the grace period. Those that finish before close themselves (``ClosingHandler``).
    func stop() {
        let entries = state.withLock { state in
            state.isStopping = true
            return Array(state.open.values)
        }
        for entry in entries {
            entry.watch.endStreams()
            entry.channel.eventLoop.execute { [self] in stop(entry.channel) }
        }
    }

    private func stop(_ channel: any Channel) {
        let task = channel.eventLoop.scheduleTask(in: grace) { channel.closeSocket() }
        channel.closeFuture.whenComplete { _ in task.cancel() }
        guard state.withLock({ $0.open[ObjectIdentifier(channel)]?.deadline != nil }) else { return }
        // Over HTTP/2 a request may be on its way. The client is informed that it was not processed.
        guard (try? channel.pipeline.syncOperations.handler(type: HTTP2StopHandler.self)) == nil else {
            return channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        // A client that is sending something has a moment to end its TLS handshake or the head of its request.
        let hasRead = (try? channel.pipeline.syncOperations.handler(type: ConnectionWatch.Handler.self))?.hasRead
        guard hasRead != true else {
            let close = channel.eventLoop.scheduleTask(in: Self.lastMoment) { [self] in
                if state.withLock({ $0.open[ObjectIdentifier(channel)]?.deadline != nil }) { channel.closeSocket() }
            }
            return channel.closeFuture.whenComplete { _ in close.cancel() }
        }
        channel.close(promise: nil)
        channel.closeSocket()
    }
}
