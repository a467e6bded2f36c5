/// The memory that the unacknowledged messages of all sessions take. A body that several messages share counts once.
struct RetainedTotal: Sendable {
    /// The number of messages with each shared body, by the body's number.
    private var copies: [Int: Int] = [:]
    private(set) var bytes = 0

    mutating func add(_ message: ServerMessage) {
        bytes += message.ownCost
        guard message.isShared else { return }
        let count = copies[message.body.number, default: 0]
        copies[message.body.number] = count + 1
        if count == 0 { bytes += message.body.bytes.count }
    }

    mutating func remove(_ message: ServerMessage) {
        bytes -= message.ownCost
        guard message.isShared, let count = copies[message.body.number] else { return }
        copies[message.body.number] = count > 1 ? count - 1 : nil
        if count == 1 { bytes -= message.body.bytes.count }
    }
}
