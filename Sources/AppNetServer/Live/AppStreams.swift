internal import HeliumConcurrency
internal import HeliumJSON
internal import Synchronization

/// The queues and consumers of app streams (Docs/Protocols/AppNet.md §2.13). The definitions of the streams are in the
/// store.
final class AppStreams: Sendable {
    private struct Stream {
        /// The row id of the token that created the stream, with which it ends.
        let creator: Int64
        /// The row id of the consumer's token; `nil` without a consumer.
        var token: Int64?
        var output: StreamOutput
        var deletesItself = false
        /// Whether the consumer was warned that its buffer is filling.
        var isWarned = false
        /// The display options of the last consumer.
        var display = GeneralParameters()
        /// The last write whose messages the stream does not get, because its consumer discarded them.
        var purged = 0

        init(_ record: AppStreamRecord, _ limits: ReplayBuffer.Limits, at now: Int64) {
            creator = record.token
            output = StreamOutput(limits: limits, at: now)
        }

        /// Adds a message. Returns its frame, the consumer, and whether the consumer must be warned.
        mutating func append(_ message: JSONValue, at now: Int64) -> ([UInt8], (any FrameSink)?, Bool) {
            let (frame, sink) = output.append(message, in: display.dialect, at: now)
            let isFull = (sink?.fill ?? 0) >= AppStreams.warningLevel
            defer { isWarned = isFull }
            return (frame, sink, isFull && !isWarned)
        }
    }

    private static let warningLevel = 0.5

    private let faults: StreamFaults
    private let limits: ReplayBuffer.Limits
    private let streams = Guarded<[Int64: Stream]>([:])
    /// The last write whose messages no stream gets, because all consumers were ended.
    private let discarded = Guarded(0)
    private let ended: EndedIDs
    private let endedTokens: EndedIDs
    let writes: WriteNumbers

    /// - Parameters:
    ///   - ended: The streams that ended last.
    ///   - endedTokens: The tokens that ended last.
    ///   - writes: The numbers of writes.
    init(
        limits: ReplayBuffer.Limits = ReplayBuffer.Limits(),
        faults: StreamFaults,
        ended: EndedIDs = EndedIDs(),
        endedTokens: EndedIDs = EndedIDs(),
        writes: WriteNumbers = WriteNumbers()
    ) {
        self.limits = limits
        self.faults = faults
        self.ended = ended
        self.endedTokens = endedTokens
        self.writes = writes
    }

    /// The number of consumers.
    var connected: Int { streams.withLock { $0.values.filter { $0.output.sink != nil }.count } }

    /// Returns the number of these streams that have a consumer.
    func connected(among ids: Set<Int64>) -> Int {
        streams.withLock { streams in ids.count { streams[$0]?.output.sink != nil } }
    }

    /// Connects a consumer. Of two consumers of a stream, the one with the later request remains; the other one is ended.
    ///
    /// - Parameters:
    ///   - token: The row id of the consumer's token.
    ///   - purges: Whether queued messages are discarded.
    ///   - deletesItself: Whether the stream is deleted when the consumer disconnects.
    ///   - display: The display options for later objects.
    /// - Throws: ``AppNetFailure`` with 404 if the stream was deleted after the caller read its definition.
    func connect(
        _ record: AppStreamRecord,
        _ sink: any FrameSink,
        token: Int64,
        purges: Bool,
        deletesItself: Bool,
        display: GeneralParameters,
        at now: Int64
    ) throws(AppNetFailure) {
        let old = streams.withLock { streams -> Result<(any FrameSink)?, AppNetFailure> in
            // A stream without a row would never be removed.
            guard !ended.contains(record.id) else { return .failure(.notFound) }
            var stream = streams[record.id] ?? Stream(record, limits, at: now)
            guard stream.output.accepts(sink) else { return .success(sink) }
            if purges {
                stream.output.purge()
                stream.purged = writes.last
            }
            stream.deletesItself = deletesItself
            stream.token = token
            stream.isWarned = false
            stream.display = display
            let old = stream.output.attach(sink, in: display.dialect, greeting: nil, at: now)
            streams[record.id] = stream
            return .success(old)
        }
        try old.get()?.end()
    }

    /// Returns the display options of a stream.
    func display(of id: Int64) -> GeneralParameters {
        streams.withLock { $0[id]?.display } ?? GeneralParameters()
    }

    /// Disconnects a consumer. Returns `true` if its stream must be deleted.
    func disconnect(_ id: Int64, _ sink: any FrameSink, at now: Int64) -> Bool {
        streams.withLock { streams in
            guard streams[id]?.output.detach(sink, at: now) == true else { return false }
            streams[id]?.token = nil
            return streams[id]?.deletesItself == true
        }
    }

    /// Sends a message or queues it. Calls must be in the order of the messages. Nothing is sent to a stream that has
    /// ended after the caller read its definition.
    ///
    /// - Parameter number: The number of the message's write.
    func send(_ message: JSONValue, to record: AppStreamRecord, number: Int, at now: Int64) {
        let delivery = streams.withLock { streams -> ([UInt8], (any FrameSink)?, Bool)? in
            // A stream without a row would never be removed.
            guard !ended.contains(record.id), !endedTokens.contains(record.token),
                number > streams[record.id]?.purged ?? 0, number > discarded.withLock({ $0 })
            else { return nil }
            // Modified in place, because a copy of the stream would copy its queue.
            return streams[record.id, default: Stream(record, limits, at: now)].append(message, at: now)
        }
        guard let (frame, sink, warns) = delivery, let sink else { return }
        if warns { sink.send(Self.warning) }
        faults.send(frame, to: sink)
    }

    /// Closes the connections of all consumers according to their protocols, and discards what is queued, with the messages
    /// of earlier writes that are still on their way. The streams are kept.
    func endConsumers() {
        let sinks = streams.withLock { streams in
            discarded.withLock { $0 = writes.last }
            for id in streams.keys { streams[id]?.output.purge() }
            return streams.values.compactMap(\.output.sink)
        }
        for sink in sinks { sink.end() }
    }

    /// Ends a deleted stream. It cannot be connected again.
    ///
    /// - Returns: Whether the ends of earlier streams were forgotten (``EndedIDs/insert(_:)``).
    @discardableResult
    func end(_ id: Int64) -> Bool {
        let forgets = ended.insert([id])
        let sink = streams.withLock { $0.removeValue(forKey: id)?.output.sink }
        sink?.end()
        return forgets
    }

    /// Ends the streams that a deleted token created, and closes the connections of their other consumers with the token.
    func endAll(of token: Int64) {
        let sinks = streams.withLock { streams in
            let ended = streams.filter { $0.value.creator == token || $0.value.token == token }
            for (id, stream) in ended where stream.creator == token { streams[id] = nil }
            return ended.values.compactMap(\.output.sink)
        }
        for sink in sinks { sink.end() }
    }

    /// Closes all connections as a network failure does. The streams are kept.
    func dropConnections() {
        for sink in streams.withLock({ $0.values.compactMap(\.output.sink) }) { sink.cut(in: []) }
    }

    private static let warning = Array(
        #"{"control":{"type":"buffer","message":"The buffer of this stream is half full."}}"#.utf8
    )
}
