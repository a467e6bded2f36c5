/// The frames of a stream that its next consumer may need: those that were never sent, and those that were sent so
/// shortly before the last consumer was gone that they may not have arrived. So a frame comes at least once.
struct ReplayBuffer: Sendable {
    struct Limits: Hashable, Sendable {
        var frames = 2_000
        var bytes = 1024 * 1024
        /// How long a frame is kept, in microseconds (§2.14: about 600 seconds).
        var age: Int64 = 600 * 1_000_000
        /// How long before the end of a connection a frame counts as one that may be lost, in microseconds.
        var doubt: Int64 = 5 * 1_000_000
    }

    private struct Entry: Sendable {
        let frame: [UInt8]
        let made: Int64
        /// Nil: never.
        var sent: Int64?
    }

    private let limits: Limits
    private var entries: ArraySlice<Entry> = []
    private var bytes = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Notes a frame; the oldest are forgotten where there are too many.
    mutating func append(_ frame: [UInt8], isSent: Bool, at now: Int64) {
        entries.append(Entry(frame: frame, made: now, sent: isSent ? now : nil))
        bytes += frame.count
        trim(now)
    }

    /// Forgets what has arrived for certain. To be called when the consumer is gone.
    mutating func consumerGone(at now: Int64) {
        entries = ArraySlice(entries.filter { ($0.sent ?? .max) >= now - limits.doubt })
        bytes = entries.reduce(0) { $0 + $1.frame.count }
        for index in entries.indices { entries[index].sent = nil }
    }

    /// What the next consumer gets first.
    mutating func takeUnsent(at now: Int64) -> [[UInt8]] {
        trim(now)
        var unsent: [[UInt8]] = []
        for index in entries.indices where entries[index].sent == nil {
            entries[index].sent = now
            unsent.append(entries[index].frame)
        }
        return unsent
    }

    mutating func removeAll() {
        entries = []
        bytes = 0
    }

    private mutating func trim(_ now: Int64) {
        while let first = entries.first,
            entries.count > limits.frames || bytes > limits.bytes || first.made < now - limits.age
                || (first.sent ?? .max) < now - limits.doubt
        {
            bytes -= first.frame.count
            entries.removeFirst()
        }
    }
}
