internal import HeliumConcurrency
internal import HeliumJSON
internal import Synchronization

/// The queues and consumers of app streams (§2.13); what the streams are is stored.
final class AppStreams: Sendable {
    private struct Stream {
        var outlet: LiveOutlet
        var deletesItself = false
        /// Whether the consumer was told that its buffer fills.
        var isWarned = false
        /// The display options of the last consumer.
        var display = GeneralParameters()

        /// Notes a message, and gives its frame, its consumer, and whether the consumer must be warned.
        mutating func append(_ message: JSONValue, at now: Int64) -> ([UInt8], (any LiveSink)?, Bool) {
            let (frame, sink) = outlet.append(message, in: display.dialect, at: now)
            let isFull = (sink?.fill ?? 0) >= AppStreams.warningLevel
            defer { isWarned = isFull }
            return (frame, sink, isFull && !isWarned)
        }
    }

    private static let warningLevel = 0.5

    private let faults: StreamFaults
    private let limits: ReplayBuffer.Limits
    private let streams = Guarded<[Int64: Stream]>([:])

    init(limits: ReplayBuffer.Limits = ReplayBuffer.Limits(), faults: StreamFaults) {
        self.limits = limits
        self.faults = faults
    }

    /// How many consumers there are.
    var connected: Int { streams.withLock { $0.values.filter { $0.outlet.sink != nil }.count } }

    /// How many of some streams have a consumer.
    func connected(among ids: Set<Int64>) -> Int {
        streams.withLock { streams in ids.count { streams[$0]?.outlet.sink != nil } }
    }

    /// Takes a consumer, which throws out the one before it.
    ///
    /// - Parameters:
    ///   - purges: whether what is queued is dropped
    ///   - deletesItself: whether the stream is deleted when the consumer is gone
    ///   - display: how objects are rendered from now on
    func connect(
        _ id: Int64,
        _ sink: any LiveSink,
        purges: Bool,
        deletesItself: Bool,
        display: GeneralParameters,
        at now: Int64
    ) {
        let old = streams.withLock { streams -> (any LiveSink)? in
            var stream = streams[id] ?? Stream(outlet: LiveOutlet(limits: limits, at: now))
            if purges { stream.outlet.purge() }
            stream.deletesItself = deletesItself
            stream.isWarned = false
            stream.display = display
            let old = stream.outlet.attach(sink, in: display.dialect, greeting: nil, at: now)
            streams[id] = stream
            return old
        }
        old?.end()
    }

    /// How a stream's objects are rendered.
    func display(of id: Int64) -> GeneralParameters {
        streams.withLock { $0[id]?.display } ?? GeneralParameters()
    }

    /// Notes that a consumer is gone; true where its stream has to be deleted with it.
    func disconnect(_ id: Int64, _ sink: any LiveSink, at now: Int64) -> Bool {
        streams.withLock { streams in
            guard streams[id]?.outlet.detach(sink, at: now) == true else { return false }
            return streams[id]?.deletesItself == true
        }
    }

    /// Sends a message, or queues it. To be called in the order of the messages.
    func send(_ message: JSONValue, to id: Int64, at now: Int64) {
        let (frame, sink, warns) = streams.withLock { streams -> ([UInt8], (any LiveSink)?, Bool) in
            // Changed in place: a copy of the stream would copy its queue.
            streams[id, default: Stream(outlet: LiveOutlet(limits: limits, at: now))].append(message, at: now)
        }
        guard let sink else { return }
        if warns { sink.send(Self.warning) }
        faults.send(frame, to: sink)
    }

    /// Ends a stream that was deleted.
    func end(_ id: Int64) {
        let sink = streams.withLock { $0.removeValue(forKey: id)?.outlet.sink }
        sink?.end()
    }

    /// Closes all connections as a broken network does; the streams stay.
    func dropConnections() {
        for sink in streams.withLock({ $0.values.compactMap(\.outlet.sink) }) { sink.cut(in: []) }
    }

    private static let warning = Array(
        #"{"control":{"type":"buffer","message":"The buffer of this stream is half full."}}"#.utf8
    )
}
