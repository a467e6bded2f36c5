/// The messages that a session's client has not acknowledged, oldest first. Their indexes are consecutive.
///
/// Removing messages takes amortized time proportional to their number: the others are only moved after as many were
/// removed.
struct RetainedMessages: Sendable {
    private var storage: [ServerMessage?]
    private var head = 0
    /// The cost of the retained messages, in bytes.
    private(set) var bytes: Int

    init(_ messages: [ServerMessage] = []) {
        storage = messages
        bytes = messages.reduce(0) { $0 + $1.cost }
    }

    var count: Int { storage.count - head }

    mutating func append(_ message: ServerMessage) {
        storage.append(message)
        bytes += message.cost
    }

    /// Removes the messages up to an index.
    ///
    /// - Returns: Whether there were any.
    mutating func remove(through index: Int) -> Bool {
        let start = head
        while head < storage.count, let message = storage[head], message.index <= index {
            bytes -= message.cost
            storage[head] = nil
            head += 1
        }
        guard head > start else { return false }
        if head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return true
    }

    /// Returns a number of the newest messages.
    func newest(_ count: Int) -> some Sequence<ServerMessage> { storage[head...].suffix(count).lazy.compactMap(\.self) }

    /// All messages.
    var all: some Sequence<ServerMessage> { newest(count) }
}
