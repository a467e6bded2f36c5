internal import HeliumJSON

/// The messages of a stream that its next consumer may need: messages that were not sent, and messages that were sent
/// so shortly before the last consumer disconnected that they may not have arrived. Each message is therefore delivered
/// at least once.
///
/// Messages are stored in App.net's format and not as bytes, because the next consumer may use another dialect.
struct ReplayBuffer: Sendable {
    struct Limits: Hashable, Sendable {
        var messages = 2_000
        /// The maximum length of all messages as JSON, in bytes.
        var bytes = 1024 * 1024
        /// The time for which a message is kept, in microseconds. The API specifies about 600 seconds
        /// (Docs/Protocols/AppNet.md §2.14).
        var age: Int64 = 600 * 1_000_000
        /// The time before the end of a connection in which sent messages may be lost, in microseconds.
        var doubt: Int64 = 5 * 1_000_000
    }

    private struct Entry: Sendable {
        let message: JSONValue
        let bytes: Int
        let made: Int64
        /// The time at which the message was sent; `nil` if it was not sent.
        var sent: Int64?
    }

    private let limits: Limits
    private var entries: ArraySlice<Entry> = []
    private var bytes = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    /// Adds a message. The oldest messages are deleted if there are too many.
    ///
    /// - Parameter count: The length of the message as JSON, in bytes.
    mutating func append(_ message: JSONValue, bytes count: Int, isSent: Bool, at now: Int64) {
        entries.append(Entry(message: message, bytes: count, made: now, sent: isSent ? now : nil))
        bytes += count
        trim(now)
    }

    /// Deletes the messages that have certainly arrived. Must be called when the consumer has disconnected.
    mutating func consumerGone(at now: Int64) {
        entries = ArraySlice(entries.filter { ($0.sent ?? .max) >= now - limits.doubt })
        bytes = entries.reduce(0) { $0 + $1.bytes }
        for index in entries.indices { entries[index].sent = nil }
    }

    /// Returns the messages that the next consumer gets first, and marks them as sent.
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
