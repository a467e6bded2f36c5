internal import HeliumJSON

/// The consumer of a stream, and the messages that it or the next consumer must get. The type is not thread-safe.
/// Callers must process the results outside of their lock, in order.
struct StreamOutput: Sendable {
    private(set) var sink: (any FrameSink)?
    private var replay: ReplayBuffer
    /// The time since which there is no consumer; `nil` if there is one.
    private(set) var idleSince: Int64?

    init(limits: ReplayBuffer.Limits, at now: Int64) {
        replay = ReplayBuffer(limits: limits)
        idleSince = now
    }

    /// Whether a new consumer replaces the current one, if there is one. An earlier request does not: it may be served late,
    /// after its client has connected again.
    func accepts(_ new: any FrameSink) -> Bool { sink.map { $0.number < new.number } ?? true }

    /// Connects a new consumer. It gets `greeting` and then the messages that the last consumer missed, in its own
    /// dialect.
    ///
    /// - Returns: The previous consumer, which the caller must end.
    mutating func attach(
        _ new: any FrameSink,
        in dialect: Dialect,
        greeting: JSONValue?,
        at now: Int64
    ) -> (any FrameSink)? {
        let old = sink
        if old != nil { replay.consumerGone(at: now) }
        sink = new
        idleSince = nil
        if let greeting { new.send(dialect.frame(greeting)) }
        for message in replay.takeUnsent(at: now) { new.send(dialect.frame(message)) }
        return old
    }

    /// Disconnects a consumer. Returns `false` if another one has replaced it.
    mutating func detach(_ old: any FrameSink, at now: Int64) -> Bool {
        guard sink === old else { return false }
        sink = nil
        idleSince = now
        replay.consumerGone(at: now)
        return true
    }

    /// Adds a message. Returns its frame and the consumer to which the caller must send the frame.
    ///
    /// - Parameter dialect: The dialect of the consumer, or of the last one.
    mutating func append(
        _ message: JSONValue,
        in dialect: Dialect,
        at now: Int64
    ) -> (frame: [UInt8], sink: (any FrameSink)?) {
        let frame = dialect.frame(message)
        replay.append(message, bytes: frame.count, isSent: sink != nil, at: now)
        return (frame, sink)
    }

    mutating func purge() { replay.removeAll() }
}
