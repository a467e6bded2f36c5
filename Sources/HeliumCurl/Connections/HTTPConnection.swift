import HeliumCore
import HeliumEssentials
import HeliumWire

/// A connection to an origin, and the protocol that it speaks. Used on the loop's thread.
///
/// It is retained by its channel until that has ended, and by the loop while the pool knows it.
final class HTTPConnection {
    let group: ConnectionGroup
    let worker: LoopWorker
    /// The connection in the pool.
    let handle: PoolConnection
    /// The time at which the attempt began.
    let startTime: UInt64
    /// The channel; `nil` after its end.
    private(set) var channel: ByteChannel?
    private(set) var engine: (any HTTPEngine)?
    #if HTTP2
        /// The engine, if it is that of HTTP/2.
        private(set) var http2: HTTP2Engine?
    #endif
    /// Whether the connection gets its first calls, if it has any by then. What a server sends before their requests is not
    /// distrusted: it may say why it refuses the connection.
    private(set) var isOpening = true
    /// The times of names, TCP and TLS, from the beginning of the attempt.
    private(set) var timings = TransferTimings()
    /// The failure of the attempt.
    var failure: TransportFailure? {
        didSet { if let failure { timings = failure.timings } }
    }

    init(_ group: ConnectionGroup, _ handle: PoolConnection, worker: LoopWorker) {
        self.group = group
        self.handle = handle
        self.worker = worker
        startTime = worker.turn.now
    }

    /// The number of bytes that the system has accepted.
    var acceptedCount: UInt64 { channel?.acceptedCount ?? 0 }

    /// Whether the system has accepted all that was written.
    var isDrained: Bool { channel?.isDrained ?? true }

    /// Whether the connection speaks HTTP/2.
    var isHTTP2: Bool {
        #if HTTP2
            http2 != nil
        #else
            false
        #endif
    }

    /// Whether there is more than one call on the connection.
    var isShared: Bool {
        #if HTTP2
            http2?.isShared == true
        #else
            false
        #endif
    }

    /// Begins to connect.
    func open(on host: ChannelHost, _ target: ChannelTarget) {
        let channel = ByteChannel(to: target, handler: self, loop: worker.loop)
        self.channel = channel
        host.add(channel)
    }

    /// Ends the connection at once, under TLS with close_notify.
    func close() { channel?.abort() }
}

extension HTTPConnection: ChannelHandler {
    func channelOpened(_ channel: ByteChannel) {
        defer { isOpening = false }
        // A handshake takes time, which no later event may seem to precede.
        worker.turn.now = worker.driver.now
        timings = channel.facts.timings
        if var failure = channel.earlyEnd {
            failure.timings = timings
            return channel.fail(failure)
        }
        let name = channel.facts.applicationProtocol
        #if HTTP2
            if name == "h2" || group.isPriorKnowledge {
                guard let engine = HTTP2Engine(self, channel) else {
                    return channel.abort()
                }
                self.engine = engine
                http2 = engine
                worker.didOpen(self, streams: engine.maximumStreams)
                return
            }
        #endif
        engine = HTTP1Engine(self, channel)
        worker.didOpen(self, streams: nil)
    }

    func channel(_ channel: ByteChannel, received bytes: RawSpan) {
        bytes.withUnsafeBytes { engine?.receive($0) }
    }

    func channelReceived(_ channel: ByteChannel) { engine?.didReceive() }

    func channelDrained(_ channel: ByteChannel) { engine?.didDrain() }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {}

    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {
        engine?.peerEnded(isOrderly: isOrderly)
        channel.abort()
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) {
        self.channel = nil
        let engine = engine
        self.engine = nil
        let failure: TransportFailure =
            switch end {
            case .failed(let failure): failure
            case .closed:
                TransportFailure(.connectionLost, delivery: .notSent, message: "the connection was closed")
            }
        if let engine {
            // Before its calls end, so that none of those that are sent again gets this connection.
            worker.didEnd(self)
            engine.connectionLost(failure)
        } else {
            worker.didNotOpen(self, failure)
        }
        #if HTTP2
            // The ends of its streams were reported through it.
            http2 = nil
        #endif
    }
}
