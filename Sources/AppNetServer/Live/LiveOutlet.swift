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

    /// Takes a new consumer, which gets `greeting` and then what the last one missed.
    ///
    /// - Returns: the consumer that is thrown out, to be ended by the caller.
    mutating func attach(_ new: any LiveSink, greeting: [UInt8]?, at now: Int64) -> (any LiveSink)? {
        let old = sink
        if old != nil { replay.consumerGone(at: now) }
        sink = new
        idleSince = nil
        if let greeting { new.send(greeting) }
        for frame in replay.takeUnsent(at: now) { new.send(frame) }
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

    /// Notes a frame and gives the consumer that it must be sent to.
    mutating func append(_ frame: [UInt8], at now: Int64) -> (any LiveSink)? {
        replay.append(frame, isSent: sink != nil, at: now)
        return sink
    }

    mutating func purge() { replay.removeAll() }
}
