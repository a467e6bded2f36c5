/// The messages that a session's client has not acknowledged, the oldest first. Their indexes have no gaps.
///
/// Forgetting messages takes time for those alone: the others stay where they are until as many have gone.
struct RetainedMessages: Sendable {
    private var storage: [ServerMessage?]
    private var head = 0
    /// The cost of keeping the messages.
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

    /// The newest messages, so many of them.
    func newest(_ count: Int) -> some Sequence<ServerMessage> { storage[head...].suffix(count).lazy.compactMap(\.self) }

    /// All messages.
    var all: some Sequence<ServerMessage> { newest(count) }
}
