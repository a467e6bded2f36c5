internal import HeliumJSON

/// The messages of a stream that its next consumer may need: those that were never sent, and those that were sent so
/// shortly before the last consumer was gone that they may not have arrived. So a message comes at least once.
///
/// Messages are kept in App.net's form and not as bytes, because the next consumer may read another dialect.
struct ReplayBuffer: Sendable {
    struct Limits: Hashable, Sendable {
        var messages = 2_000
        /// The length of all messages as JSON.
        var bytes = 1024 * 1024
        /// How long a message is kept, in microseconds (§2.14: about 600 seconds).
        var age: Int64 = 600 * 1_000_000
        /// How long before the end of a connection a message counts as one that may be lost, in microseconds.
        var doubt: Int64 = 5 * 1_000_000
    }

    private struct Entry: Sendable {
        let message: JSONValue
        let bytes: Int
        let made: Int64
        /// Nil: never.
        var sent: Int64?
    }

    private let limits: Limits
    private var entries: ArraySlice<Entry> = []
    private var bytes = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Notes a message; the oldest are forgotten where there are too many.
    ///
    /// - Parameter count: The length of the message as JSON.
    mutating func append(_ message: JSONValue, bytes count: Int, isSent: Bool, at now: Int64) {
        entries.append(Entry(message: message, bytes: count, made: now, sent: isSent ? now : nil))
        bytes += count
        trim(now)
    }

    /// Forgets what has arrived for certain. To be called when the consumer is gone.
    mutating func consumerGone(at now: Int64) {
        entries = ArraySlice(entries.filter { ($0.sent ?? .max) >= now - limits.doubt })
        bytes = entries.reduce(0) { $0 + $1.bytes }
        for index in entries.indices { entries[index].sent = nil }
    }

    /// What the next consumer gets first.
    mutating func takeUnsent(at now: Int64) -> [JSONValue] {
        trim(now)
        var unsent: [JSONValue] = []
        for index in entries.indices where entries[index].sent == nil {
            entries[index].sent = now
            unsent.append(entries[index].message)
        }
        return unsent
    }

    mutating func removeAll() {
        entries = []
        bytes = 0
    }

    private mutating func trim(_ now: Int64) {
        while let first = entries.first,
            entries.count > limits.messages || bytes > limits.bytes || first.made < now - limits.age
                || (first.sent ?? .max) < now - limits.doubt
        {
            bytes -= first.bytes
            entries.removeFirst()
        }
    }
}
