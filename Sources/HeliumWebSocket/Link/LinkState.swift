internal import HeliumCore

/// An item of the queue for sending.
struct Outgoing {
    enum Content {
        case message(WebSocketMessage, byteCount: Int)
        case ping
        case close(WebSocketCloseCode, reason: String)
    }

    var content: Content
    /// The task that waits until the item is written; `nil` for pings and close messages.
    var waiter: LinkWaiter<Void>?

    /// Moves the message out and leaves a ping; `nil` for another item. A copy would be counted in the memory that it
    /// shares with the caller's, which costs more than to write a small message.
    mutating func takeMessage() -> WebSocketMessage? {
        guard case .message = content else { return nil }
        var taken = Content.ping
        swap(&taken, &content)
        guard case .message(let message, _) = consume taken else { return nil }
        return message
    }
}

/// A waiting task, with a number by which its cancellation finds it.
///
/// A waiter is resumed only by the code that removes it from the state, which contains it once, so it is resumed
/// exactly once. The checks of a `CheckedContinuation` would cost more than the rest of a message.
struct LinkWaiter<Value: Sendable> {
    let id: UInt64
    let continuation: UnsafeContinuation<Value, any Error>
}

/// The state that both sides of a link share under its lock: the queues and the waiting tasks. It performs no I/O and
/// resumes no task.
struct LinkState {
    /// The phase of the link.
    enum Phase {
        case open
        /// The close message of this side is queued or sent. Nothing more may be queued, and received messages are
        /// dropped.
        case closing
        case ended
    }

    /// The limits on the queues, in messages and bytes.
    struct Limits {
        var receivedMessages: Int
        var receivedBytes: Int
        var queuedMessages: Int
        var queuedBytes: Int
        /// The number of unwritten bytes up to which a send does not wait.
        var unwaitedBytes: Int
    }

    let limits: Limits
    private let clock: any HeliumClock
    var phase = Phase.open
    /// The failure that ended the link; `nil` for a normal end.
    var failure: HeliumError?
    var closure: WebSocketClosure?

    private var inbox = MessageQueue()
    private(set) var readers: [LinkWaiter<WebSocketMessage?>] = []
    /// Whether the network is not read because the inbox is full.
    private(set) var isHeldBack = false
    /// Whether the network is not read because the peer is faster than its limit.
    var isPaced = false
    /// The uptime of the last sign of the peer: its data, or room that it made for data of this side that had to wait.
    private(set) var lastArrival: Duration = .zero
    /// The uptime at which the incomplete message began; `nil` if there is none.
    private(set) var incompleteSince: Duration?

    private(set) var outbox: [Outgoing] = []
    private var outboxBytes = 0
    /// Whether a ping is in the outbox.
    private var hasQueuedPing = false
    /// The waiters of items that were passed to the channel and that the system may not have accepted yet.
    private var inFlight: [LinkWaiter<Void>] = []
    private(set) var inFlightBytes = 0
    /// The uptime since which the system has accepted no data; `nil` if nothing is in flight.
    private(set) var stalledSince: Duration?

    init(limits: Limits, clock: any HeliumClock) {
        self.limits = limits
        self.clock = clock
    }
}

// MARK: Receiving

extension LinkState {
    /// A message and the task that waits for it, which must be resumed with it.
    typealias Delivery = (reader: LinkWaiter<WebSocketMessage?>, message: WebSocketMessage)

    /// The size that a queue of messages may reach before it is delivered.
    var room: MessageQueue.Room {
        guard phase == .open else { return MessageQueue.Room(messages: .max, bytes: .max) }
        return MessageQueue.Room(
            messages: limits.receivedMessages - inbox.count,
            bytes: limits.receivedBytes - inbox.byteCount
        )
    }

    /// Takes received messages, unless they are dropped. Those for which no task waits are added to the inbox.
    mutating func deliver(_ messages: inout MessageQueue) -> [Delivery] {
        guard phase == .open else { return [] }
        var deliveries: [Delivery] = []
        while !readers.isEmpty, let message = messages.popFirst() {
            deliveries.append((readers.removeFirst(), message))
        }
        inbox.append(movingFrom: &messages)
        isHeldBack = room.isEmpty
        return deliveries
    }

    enum Taken {
        /// A message, and whether the network must be read again.
        case message(WebSocketMessage, resumes: Bool)
        case end
        case failure(HeliumError)
        /// There is no message, so the caller has to wait.
        case nothing
    }

    mutating func take() -> Taken {
        if let message = inbox.popFirst() {
            guard isHeldBack, isLow else { return .message(message, resumes: false) }
            isHeldBack = false
            // The silence of a peer that was paused begins now.
            lastArrival = clock.uptime
            return .message(message, resumes: true)
        }
        guard phase == .ended else { return .nothing }
        return failure.map { .failure($0) } ?? .end
    }

    /// Whether so few messages are left that the network is read again.
    private var isLow: Bool {
        inbox.count <= limits.receivedMessages / 2 && inbox.byteCount <= limits.receivedBytes / 2
    }

    mutating func wait(_ reader: LinkWaiter<WebSocketMessage?>) { readers.append(reader) }

    mutating func cancelReader(_ id: UInt64) -> LinkWaiter<WebSocketMessage?>? {
        readers.firstIndex { $0.id == id }.map { readers.remove(at: $0) }
    }

    /// Records that bytes have arrived.
    ///
    /// - Parameters:
    ///   - isIncomplete: Whether there is an incomplete message or control frame.
    ///   - hasAdvanced: Whether it is another one than before.
    mutating func arrived(at time: Duration, isIncomplete: Bool = false, hasAdvanced: Bool = true) {
        lastArrival = time
        if !isIncomplete {
            incompleteSince = nil
        } else if hasAdvanced || incompleteSince == nil {
            incompleteSince = time
        }
    }

    /// Makes the link drop received messages from now on. Returns whether reading was paused and must be resumed.
    mutating func stopReceiving() -> Bool {
        defer { isHeldBack = false }
        return isHeldBack
    }
}

// MARK: Sending

extension LinkState {
    enum Queued {
        case queued(mustFlush: Bool)
        case full
        case refused
    }

    /// The number of messages in the outbox.
    private var messageCount: Int { outbox.count - (hasQueuedPing ? 1 : 0) }

    mutating func queue(_ outgoing: consuming Outgoing) -> Queued {
        switch outgoing.content {
        case .message(_, let byteCount):
            guard phase == .open else { return .refused }
            let isFull =
                messageCount >= limits.queuedMessages
                || (outboxBytes > 0 && outboxBytes + byteCount > limits.queuedBytes)
            guard !isFull else { return .full }
            outboxBytes += byteCount
        case .ping:
            guard phase == .open else { return .refused }
            // One that waits says the same, and a peer that reads nothing would let them grow without end.
            if hasQueuedPing { return .queued(mustFlush: false) }
            hasQueuedPing = true
        case .close:
            guard phase == .open else { return .refused }
            phase = .closing
        }
        // If the queue is not empty, a flush is already pending, or the items are taken as soon as the channel is
        // writable.
        let mustFlush = outbox.isEmpty
        outbox.append(outgoing)
        return .queued(mustFlush: mustFlush)
    }

    /// Queues a message for which no task waits, if so few bytes wait to be written that a send need not wait.
    ///
    /// - Returns: Whether a flush is needed; `nil` if the message was not queued.
    @inline(__always)
    mutating func queueUnwaited(_ message: WebSocketMessage, byteCount: Int) -> Bool? {
        guard phase == .open, outboxBytes + inFlightBytes + byteCount <= limits.unwaitedBytes,
            messageCount < limits.queuedMessages, outboxBytes == 0 || outboxBytes + byteCount <= limits.queuedBytes
        else { return nil }
        let mustFlush = outbox.isEmpty
        outboxBytes += byteCount
        outbox.append(Outgoing(content: .message(message, byteCount: byteCount), waiter: nil))
        return mustFlush
    }

    /// Takes the messages to be written together: as many as fit into `maximumBytes`, but at least one. The messages in
    /// flight have been written.
    ///
    /// - Parameter batch: Receives the messages. Its memory is reused for the next queue.
    /// - Returns: The waiters of the messages that were in flight.
    mutating func takeBatch(
        _ batch: inout [Outgoing],
        maximumBytes: Int,
        overhead: Int
    ) -> [LinkWaiter<Void>] {
        let waiters = written()
        // Removing all at once would call the runtime for each, which costs more than the optimized code for one.
        while batch.popLast() != nil {}
        guard !outbox.isEmpty else { return waiters }
        let total = outboxBytes + outbox.count * overhead
        if total <= maximumBytes {
            swap(&batch, &outbox)
            outboxBytes = 0
            hasQueuedPing = false
            inFlightBytes = total
        } else {
            takeFirst(&batch, maximumBytes: maximumBytes, overhead: overhead)
        }
        for index in batch.indices {
            if let waiter = batch[index].waiter { inFlight.append(waiter) }
        }
        return waiters
    }

    /// Takes a part of the queue.
    private mutating func takeFirst(_ batch: inout [Outgoing], maximumBytes: Int, overhead: Int) {
        var count = 0
        var bytes = 0
        while count < outbox.count, count == 0 || bytes < maximumBytes {
            switch outbox[count].content {
            case .message(_, let byteCount):
                bytes += byteCount
                outboxBytes -= byteCount
            case .ping: hasQueuedPing = false
            case .close: break
            }
            bytes += overhead
            count += 1
        }
        batch.append(contentsOf: outbox[..<count])
        outbox.removeSubrange(..<count)
        inFlightBytes = bytes
    }

    /// Records that the messages in flight were written.
    ///
    /// - Returns: Their waiters.
    mutating func written() -> [LinkWaiter<Void>] {
        inFlightBytes = 0
        stalledSince = nil
        guard !inFlight.isEmpty else { return [] }
        defer { inFlight = [] }
        return inFlight
    }

    /// Records that the system accepts no more data for now.
    mutating func stall(at time: Duration) { if stalledSince == nil { stalledSince = time } }

    /// Records that the system has accepted some of the data in flight.
    ///
    /// - Parameter hasWaited: Whether the system had refused some of it, so that it has room now because the peer's system has
    ///   taken earlier data. This counts as a sign of the peer, because a ping would wait behind the rest.
    mutating func advance(at time: Duration, hasWaited: Bool) {
        guard stalledSince != nil else { return }
        stalledSince = time
        if hasWaited { lastArrival = time }
    }

    /// Removes a queued message. For a message in flight, removes only its waiter.
    mutating func cancelSend(_ id: UInt64) -> LinkWaiter<Void>? {
        if let index = outbox.firstIndex(where: { $0.waiter?.id == id }) {
            let outgoing = outbox.remove(at: index)
            if case .message(_, let byteCount) = outgoing.content { outboxBytes -= byteCount }
            return outgoing.waiter
        }
        return inFlight.firstIndex { $0.id == id }.map { inFlight.remove(at: $0) }
    }
}

// MARK: Ending

extension LinkState {
    /// All tasks that wait when the link ends.
    struct Abandoned {
        var readers: [LinkWaiter<WebSocketMessage?>] = []
        /// Senders whose messages were passed to the channel.
        var inFlight: [LinkWaiter<Void>] = []
        /// Senders whose messages were still queued.
        var queued: [LinkWaiter<Void>] = []
    }

    /// Ends the link. Only the first call has an effect. Received messages that were not taken yet are kept.
    mutating func end(_ closure: WebSocketClosure, failure: HeliumError?) -> Abandoned? {
        guard phase != .ended else { return nil }
        phase = .ended
        self.closure = closure
        self.failure = failure
        var abandoned = Abandoned()
        swap(&abandoned.readers, &readers)
        swap(&abandoned.inFlight, &inFlight)
        abandoned.queued = outbox.compactMap(\.waiter)
        inFlightBytes = 0
        outbox = []
        outboxBytes = 0
        hasQueuedPing = false
        stalledSince = nil
        return abandoned
    }
}

extension LinkState.Limits {
    init(_ limits: WebSocketOptions.Limits) {
        self.init(
            receivedMessages: max(1, limits.receivedMessages),
            receivedBytes: max(1, limits.receivedBytes),
            queuedMessages: max(1, limits.queuedMessages),
            queuedBytes: max(1, limits.queuedBytes),
            unwaitedBytes: limits.unwaitedBytes
        )
    }
}
