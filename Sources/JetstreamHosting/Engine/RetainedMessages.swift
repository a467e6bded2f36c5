/// The messages that a session's client has not acknowledged, oldest first. Their indexes are consecutive.
///
/// Removing messages takes amortized time proportional to their number: the others are only moved after as many were
/// removed.
struct RetainedMessages: Sendable {
    private var storage: [ServerMessage?]
    private var head = 0
    /// The cost of the retained messages, in bytes.
    private(set) var bytes: Int
    /// The cost without the bodies that other sessions may retain too, in bytes.
    private(set) var ownBytes: Int

    init(_ messages: [ServerMessage] = []) {
        storage = messages
        bytes = messages.reduce(0) { $0 + $1.cost }
        ownBytes = messages.reduce(0) { $0 + $1.ownCost }
    }

    var count: Int { storage.count - head }

    mutating func append(_ message: ServerMessage) {
        storage.append(message)
        bytes += message.cost
        ownBytes += message.ownCost
    }

    /// Removes the messages up to an index, from the total of all sessions too.
    ///
    /// - Returns: Whether there were any.
    mutating func remove(through index: Int, from total: inout RetainedTotal) -> Bool {
        let start = head
        while head < storage.count, let message = storage[head], message.index <= index {
            bytes -= message.cost
            ownBytes -= message.ownCost
            total.remove(message)
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
