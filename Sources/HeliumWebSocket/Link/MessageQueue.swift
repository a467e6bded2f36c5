/// Received messages in order of arrival, and the number of their bytes.
struct MessageQueue: Sendable {
    /// The numbers of messages and bytes at which a queue is full. The last message may exceed the number of bytes.
    struct Room {
        var messages: Int
        var bytes: Int

        var isEmpty: Bool { messages <= 0 || bytes <= 0 }
    }

    private var messages = RingBuffer<(message: WebSocketMessage, byteCount: Int)>()
    private(set) var byteCount = 0

    var count: Int { messages.count }

    var isEmpty: Bool { messages.count == 0 }

    /// Whether no more messages fit into `room`.
    func fills(_ room: Room) -> Bool { count >= room.messages || byteCount >= room.bytes }

    mutating func append(_ message: consuming WebSocketMessage, byteCount: Int) {
        messages.append((consume message, byteCount))
        self.byteCount += byteCount
    }

    /// Removes and returns the first message; `nil` if there is none.
    mutating func popFirst() -> WebSocketMessage? {
        guard let (message, byteCount) = messages.popFirst() else { return nil }
        self.byteCount -= byteCount
        return message
    }

    /// Moves all messages of another queue to the end of this one. If this one is empty, they exchange their memory.
    mutating func append(movingFrom other: inout MessageQueue) {
        if isEmpty { return swap(&self, &other) }
        while let (message, byteCount) = other.messages.popFirst() { append(message, byteCount: byteCount) }
        other.byteCount = 0
    }

    mutating func removeAll() { self = MessageQueue() }
}
