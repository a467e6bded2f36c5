internal import HeliumJSON

/// One stream's consumer and what it, or the next one, still has to get. Not safe for threads by itself; whatever is
/// returned is done outside of the caller's lock, in order.
struct LiveOutlet: Sendable {
    private(set) var sink: (any LiveSink)?
    private var replay: ReplayBuffer
    /// Since when there is no consumer.
    private(set) var idleSince: Int64?

    init(limits: ReplayBuffer.Limits, at now: Int64) {
        replay = ReplayBuffer(limits: limits)
        idleSince = now
    }

    /// Takes a new consumer, which gets `greeting` and then what the last one missed, in its own dialect.
    ///
    /// - Returns: the consumer that is thrown out, to be ended by the caller.
    mutating func attach(
        _ new: any LiveSink,
        in dialect: Dialect,
        greeting: JSONValue?,
        at now: Int64
    ) -> (any LiveSink)? {
        let old = sink
        if old != nil { replay.consumerGone(at: now) }
        sink = new
        idleSince = nil
        if let greeting { new.send(dialect.frame(greeting)) }
        for message in replay.takeUnsent(at: now) { new.send(dialect.frame(message)) }
        return old
    }

    /// Notes the end of a consumer's connection; false where another has taken its place.
    mutating func detach(_ old: any LiveSink, at now: Int64) -> Bool {
        guard sink === old else { return false }
        sink = nil
        idleSince = now
        replay.consumerGone(at: now)
        return true
    }

    /// Notes a message, and gives its frame and the consumer that the frame must be sent to.
    ///
    /// - Parameter dialect: The dialect of the consumer, or of the last one.
    mutating func append(
        _ message: JSONValue,
        in dialect: Dialect,
        at now: Int64
    ) -> (frame: [UInt8], sink: (any LiveSink)?) {
        let frame = dialect.frame(message)
        replay.append(message, bytes: frame.count, isSent: sink != nil, at: now)
        return (frame, sink)
    }

    mutating func purge() { replay.removeAll() }
}
