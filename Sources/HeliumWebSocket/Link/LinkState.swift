internal import HeliumCore
internal import NIOCore

/// What waits to be sent.
struct Outgoing {
    enum Content {
        case message(WebSocketMessage, byteCount: Int)
        case ping
        case close(WebSocketCloseCode, reason: String)
    }

    let content: Content
    /// Who waits until it is written; nobody for a ping and a goodbye.
    var waiter: LinkWaiter<Void>?
}

/// A task that waits, and the number by which its cancellation finds it.
///
/// A waiter is resumed by whoever takes it out of the state, where it is once: so exactly once, and the checks of a
/// `CheckedContinuation` would cost more than the rest of a message.
struct LinkWaiter<Value: Sendable> {
    let id: UInt64
    let continuation: UnsafeContinuation<Value, any Error>
}

/// What both sides of a link share, under its lock: queues and who waits for them. No I/O, nobody is resumed in here.
struct LinkState {
    /// How far the link is on its way to the end.
    enum Phase {
        case open
        /// Our goodbye is queued or sent; nothing more may be queued, and what arrives is dropped.
        case closing
        case ended
    }

    /// How many may wait, and how much.
    struct Limits {
        var receivedMessages: Int
        var receivedBytes: Int
        var queuedMessages: Int
        var queuedBytes: Int
        /// Up to so many bytes that are not written nobody waits.
        var unwaitedBytes: Int
    }

    let limits: Limits
    var phase = Phase.open
    /// Once the link has ended: why; `nil` for an end in order.
    var failure: HeliumError?
    var closure: WebSocketClosure?

    private var inbox = CircularBuffer<(message: WebSocketMessage, byteCount: Int)>(initialCapacity: 16)
    private var inboxBytes = 0
    private var readers: [LinkWaiter<WebSocketMessage?>] = []
    /// Whether the network is not read because the inbox is full.
    private(set) var isHeldBack = false
    private(set) var lastArrival: Duration = .zero
    /// The uptime at which the message that is not complete began; `nil` if there is none.
    private(set) var incompleteSince: Duration?

    private(set) var outbox: [Outgoing] = []
    private var outboxBytes = 0
    /// What was given to the channel, and may not have been taken by the system yet.
    private var inFlight: [LinkWaiter<Void>] = []
    private var inFlightBytes = 0
    /// Since when the system has taken nothing of what it was given; `nil` if nothing is under way.
    private(set) var stalledSince: Duration?

    init(limits: Limits) { self.limits = limits }
}

// MARK: Arriving

extension LinkState {
    /// Takes a message in; what it returns must be resumed with it.
    mutating func deliver(_ message: WebSocketMessage, byteCount: Int) -> LinkWaiter<WebSocketMessage?>? {
        guard phase == .open else { return nil }
        if !readers.isEmpty { return readers.removeFirst() }
        inbox.append((message, byteCount))
        inboxBytes += byteCount
        isHeldBack = inbox.count >= limits.receivedMessages || inboxBytes >= limits.receivedBytes
        return nil
    }

    enum Taken {
        /// A message, and whether the network is to be read again.
        case message(WebSocketMessage, resumes: Bool)
        case end
        case failure(HeliumError)
        /// Nothing is there: whoever asked waits.
        case nothing
    }

    mutating func take(clock: any HeliumClock) -> Taken {
        if let (message, byteCount) = inbox.popFirst() {
            inboxBytes -= byteCount
            let isLow = inbox.count <= limits.receivedMessages / 2 && inboxBytes <= limits.receivedBytes / 2
            guard isHeldBack, isLow else { return .message(message, resumes: false) }
            isHeldBack = false
            // The silence of a peer that was held back begins now.
            lastArrival = clock.uptime
            return .message(message, resumes: true)
        }
        guard phase == .ended else { return .nothing }
        return failure.map { .failure($0) } ?? .end
    }

    mutating func wait(_ reader: LinkWaiter<WebSocketMessage?>) { readers.append(reader) }

    mutating func cancelReader(_ id: UInt64) -> LinkWaiter<WebSocketMessage?>? {
        readers.firstIndex { $0.id == id }.map { readers.remove(at: $0) }
    }

    /// Notes that bytes have arrived.
    ///
    /// - Parameters:
    ///   - isIncomplete: Whether a message or control frame has begun that is not complete.
    ///   - hasAdvanced: Whether it is another than before.
    mutating func arrived(at time: Duration, isIncomplete: Bool = false, hasAdvanced: Bool = true) {
        lastArrival = time
        if !isIncomplete {
            incompleteSince = nil
        } else if hasAdvanced || incompleteSince == nil {
            incompleteSince = time
        }
    }

    /// What arrives from now on is dropped: reading goes on whatever waits.
    mutating func stopReceiving() -> Bool {
        defer { isHeldBack = false }
        return isHeldBack
    }
}

// MARK: Leaving

extension LinkState {
    enum Queued {
        case queued(mustFlush: Bool)
        case full
        case refused
    }

    mutating func queue(_ outgoing: Outgoing) -> Queued {
        switch outgoing.content {
        case .message(_, let byteCount):
            guard phase == .open else { return .refused }
            let isFull =
                outbox.count >= limits.queuedMessages
                || (outboxBytes > 0 && outboxBytes + byteCount > limits.queuedBytes)
            guard !isFull else { return .full }
            outboxBytes += byteCount
        case .ping:
            guard phase == .open else { return .refused }
        case .close:
            guard phase == .open else { return .refused }
            phase = .closing
        }
        defer { outbox.append(outgoing) }
        // What is there already has its flush, or is taken as soon as the channel is writable.
        return .queued(mustFlush: outbox.isEmpty)
    }

    /// Whether so little waits to be written that nobody has to wait for it.
    func hasRoom(for byteCount: Int) -> Bool {
        phase == .open && outboxBytes + inFlightBytes + byteCount <= limits.unwaitedBytes
            && outbox.count < limits.queuedMessages
    }

    /// Takes messages to be written together: as many as have no more than so many bytes, or one. What was under way has
    /// been written.
    ///
    /// - Parameter batch: Where to; its memory is used for what is queued next.
    /// - Returns: Who waited for what was under way.
    mutating func takeBatch(
        _ batch: inout [Outgoing],
        maximumBytes: Int,
        overhead: Int
    ) -> [LinkWaiter<Void>] {
        let waiters = written()
        batch.removeAll(keepingCapacity: true)
        guard !outbox.isEmpty else { return waiters }
        var count = 0
        var bytes = 0
        while count < outbox.count, count == 0 || bytes < maximumBytes {
            if case .message(_, let byteCount) = outbox[count].content {
                bytes += byteCount
                outboxBytes -= byteCount
            }
            bytes += overhead
            count += 1
        }
        if count == outbox.count {
            swap(&batch, &outbox)
        } else {
            batch.append(contentsOf: outbox[..<count])
            outbox.removeSubrange(..<count)
        }
        for outgoing in batch {
            if let waiter = outgoing.waiter { inFlight.append(waiter) }
        }
        inFlightBytes = bytes
        return waiters
    }

    /// What was under way was written, or could not be.
    ///
    /// - Returns: Who waited for it.
    mutating func written() -> [LinkWaiter<Void>] {
        inFlightBytes = 0
        stalledSince = nil
        guard !inFlight.isEmpty else { return [] }
        defer { inFlight = [] }
        return inFlight
    }

    /// Whether somebody waits for what is under way.
    var isAwaited: Bool { !inFlight.isEmpty }

    /// The system takes no more for now.
    mutating func stall(at time: Duration) { if stalledSince == nil { stalledSince = time } }

    /// Takes a message back that is not under way; of one that is, only its waiter.
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
    /// Everybody who waits when the link ends.
    struct Abandoned {
        var readers: [LinkWaiter<WebSocketMessage?>] = []
        /// Senders whose messages were given to the channel.
        var inFlight: [LinkWaiter<Void>] = []
        /// Senders whose messages were not.
        var queued: [LinkWaiter<Void>] = []
    }

    /// Ends the link; only the first end counts. Messages that wait to be taken stay.
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
