internal import HeliumBytes
internal import HeliumCore
internal import HeliumCurl

/// The user of a channel that carries messages. It passes received messages from the codec to the link, and writes the
/// messages that the link has queued.
///
/// It belongs to the loop's thread. While the link has paused it, it does not read from the network.
final class LinkHandler: ChannelHandler {
    private let link: MessageLink
    private let codec: any MessageCodec
    /// The overhead of the codec, cached because reading it for every message would be expensive.
    private let overhead: Int

    // The methods of the next three variables, the codec and the link call nothing that refers to the handler, so that
    // two accesses to a variable can't overlap, and need no check.

    /// The bytes that the codec has not consumed yet.
    @exclusivity(unchecked) private var unread = ByteQueue()
    /// The messages that were read and not delivered. Empty between two calls.
    @exclusivity(unchecked) private var arrived = MessageQueue()
    /// The unanswered pings, at most ``maximumPings``. Older ones need no pong of their own (RFC 6455 §5.5.3).
    @exclusivity(unchecked) private var pings: [[UInt8]] = []
    /// A lower bound of the link's room for messages, because consumers take messages at any time.
    private var room = MessageQueue.Room(messages: 1, bytes: 1)
    /// Whether the link accepts no more messages until it resumes reading.
    private var isHeldBack = false
    /// Whether the peer is too fast, so that nothing is read until a timer ends.
    private var isPaused = false
    /// Whether the connection has ended, so that what was read of it is delivered whatever the limits are.
    private var isLast = false
    /// The pace of the peer; `nil` for no limit.
    private var pace: ArrivalPace?
    /// The bytes that the pace has not accounted for.
    private var arrivedBytes = 0
    /// Whether a message was completed, or a control frame outside of one, since the last report to the link.
    private var hasAdvanced = false
    private var hasSentClose = false
    /// The peer's close message. Data after it is ignored.
    private var peerClosure: WebSocketClosure?
    /// The failure with which the messages end after ``peerClosure``; `nil` if they end in order.
    private var peerFailure: HeliumError?

    /// The messages that are written together. Only its memory is kept between batches.
    private var batch: [Outgoing] = []
    private var isWriting = false
    /// Whether the system had refused some of the output when it last accepted some.
    private var hasWaited = false

    /// The maximum size of a batch: large enough to save system calls, and small enough that a cancelled message can
    /// usually still be removed.
    private static let batchBytes = 64 << 10
    /// The maximum number of pings that wait for their pongs.
    private static let maximumPings = 16
    /// The maximum number of batches in one turn of the loop.
    private static let batchLimit = 4

    private let closeLimit: Duration?
    /// Waits for the peer to end the connection after both close messages, or to accept the close message of a fault.
    private var linger: Task<Void, Never>?
    /// Ends a pause.
    private var pauseTimer: Task<Void, Never>?

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - closeLimit: The time in which a peer must end the connection after both close messages.
    ///   - pace: The rate limit of the peer. Default: none.
    init(link: MessageLink, codec: any MessageCodec, closeLimit: Duration?, pace: ArrivalPace? = nil) {
        self.link = link
        self.codec = codec
        overhead = codec.overhead
        self.closeLimit = closeLimit
        self.pace = pace
    }

    func channelOpened(_ channel: ByteChannel) {
        link.attach(
            MessageLink.Port(
                flush: { channel.signal(.write) },
                resume: { channel.signal(.read) },
                cut: { channel.signal(.end) },
                executor: channel.executor
            )
        )
    }

    func channel(_ channel: ByteChannel, signalled signals: ChannelSignals) {
        if signals.contains(.write) { writeQueue(channel) }
        if signals.contains(.read) { resume(channel) }
        if signals.contains(.time) { endPause(channel) }
        if signals.contains(.end) { channel.abort() }
    }

    func channel(_ channel: ByteChannel, ended end: ChannelEnd) {
        linger?.cancel()
        pauseTimer?.cancel()
        deliverRest(channel)
        let failure =
            switch end {
            case .closed: link.failures.error(.connectionLost, .answered, "the connection ended")
            case .failed(let failure): link.failures.lost(failure)
            }
        if let peerClosure {
            // The response to it may have shown that the connection is lost.
            link.end(peerClosure, failure: peerFailure)
        } else {
            // After the close message of this side, the messages end.
            link.end(.abnormal, failure: link.isClosing ? nil : failure)
        }
        link.detach()
    }
}

// MARK: Receiving

extension LinkHandler {
    func channel(_ channel: ByteChannel, received bytes: RawSpan) {
        arrivedBytes += bytes.byteCount
        if unread.isEmpty {
            var consumed = 0
            readMessages(bytes, &consumed, channel)
            if consumed < bytes.byteCount, peerClosure == nil { unread.append(bytes.extracting(consumed...)) }
        } else {
            unread.append(bytes)
            readUnread(channel)
        }
        reportArrival()
    }

    func channelReceived(_ channel: ByteChannel) { answerPings(channel) }

    /// Reads messages from the bytes that were left.
    private func readUnread(_ channel: ByteChannel) {
        // The queue is not read in place, because the handler is changed meanwhile.
        var bytes = ByteQueue()
        swap(&bytes, &unread)
        var consumed = 0
        bytes.withBytes { readMessages($0, &consumed, channel) }
        if peerClosure != nil { return }
        bytes.consume(consumed)
        swap(&bytes, &unread)
    }

    private func readMessages(_ bytes: RawSpan, _ consumed: inout Int, _ channel: ByteChannel) {
        guard isLast || (!isHeldBack && !isPaused) else { return }
        var arrivals = 0
        defer {
            slowDown(arrivals, channel)
            channel.isPaused = isHeldBack || isPaused
        }
        while peerClosure == nil {
            var limit = isLast ? MessageQueue.Room(messages: .max, bytes: .max) : room
            if !isLast, let pace { limit.messages = min(limit.messages, pace.interval - arrivals) }
            let result = Result { () throws(ConnectionFault) in
                try codec.next(bytes, consumed: &consumed, messages: &arrived, room: limit)
            }
            // Also before a fault: the messages before it are valid.
            let count = arrived.count
            if count > 0 {
                hasAdvanced = true
                arrivals += count
                room = link.deliver(&arrived)
                isHeldBack = room.isEmpty
            }
            switch result {
            case .success(let item?):
                arrivals += 1
                take(item, channel)
            case .success(nil): if count == 0 || consumed == bytes.byteCount { return }
            case .failure(let fault): return fail(fault, channel)
            }
            if isHeldBack, !isLast { return }
            if !isLast, let pace, arrivals >= pace.interval {
                slowDown(arrivals, channel)
                arrivals = 0
                if isPaused { return }
            }
        }
    }

    /// Delivers the messages that were read while the program was slow, before the end of the connection. There are no more than
    /// one read of the system has brought.
    private func deliverRest(_ channel: ByteChannel) {
        guard !unread.isEmpty, peerClosure == nil else { return }
        isLast = true
        readUnread(channel)
    }

    private func take(_ item: ControlItem, _ channel: ByteChannel) {
        switch item {
        case .ping(let payload):
            if pings.count == Self.maximumPings { pings.removeFirst() }
            pings.append(payload)
            if !codec.isWithinMessage { hasAdvanced = true }
        case .pong:
            if !codec.isWithinMessage { hasAdvanced = true }
        case .close(let closure): answerClose(closure, channel)
        }
    }

    /// Reports an arrival to the link. The time in which this side has paused reading does not count against the peer.
    private func reportArrival() {
        let isOurs = isHeldBack || isPaused || peerClosure != nil
        let isIncomplete = !isOurs && (!unread.isEmpty || codec.isWithinMessage)
        link.arrived(isIncomplete: isIncomplete, hasAdvanced: hasAdvanced)
        hasAdvanced = false
    }

    private func resume(_ channel: ByteChannel) {
        isHeldBack = false
        room = link.room
        continueReading(channel)
    }

    private func continueReading(_ channel: ByteChannel) {
        guard channel.isOpen else { return }
        readUnread(channel)
        reportArrival()
        answerPings(channel)
        channel.isPaused = isHeldBack || isPaused
    }

    /// Records the arrivals, and pauses reading if the peer is too fast.
    private func slowDown(_ arrivals: Int, _ channel: ByteChannel) {
        guard var pace, !isLast else { return }
        let pause = pace.pause(afterArrivals: arrivals, bytes: arrivedBytes, now: link.clock.uptime)
        self.pace = pace
        arrivedBytes = 0
        guard let pause, !isPaused, peerClosure == nil else { return }
        isPaused = true
        link.pace(isPaused: true)
        pauseTimer = Task { [clock = link.clock] in
            do { try await clock.sleep(for: pause) } catch { return }
            channel.signal(.time)
        }
    }

    private func endPause(_ channel: ByteChannel) {
        isPaused = false
        continueReading(channel)
        // The arrival has been reported, with which the silence of the peer begins.
        if !isPaused { link.pace(isPaused: false) }
    }

    private func answerPings(_ channel: ByteChannel) {
        guard !pings.isEmpty, !hasSentClose, channel.isDrained else { return }
        let answered = pings
        pings.removeAll(keepingCapacity: true)
        channel.write { out in
            for payload in answered { codec.writePong(payload, to: &out) }
        }
    }
}

// MARK: Sending

extension LinkHandler {
    func channelAdvanced(_ channel: ByteChannel) {
        // What was accepted in the step in which the rest was refused went into room that was there before.
        link.advanced(hasWaited: hasWaited)
        hasWaited = channel.hasWaited
    }

    func channelDrained(_ channel: ByteChannel) {
        link.advanced(hasWaited: hasWaited)
        hasWaited = false
        // First, because queued messages may fill the output again each time.
        answerPings(channel)
        writeQueue(channel)
    }

    private func writeQueue(_ channel: ByteChannel) {
        guard !isWriting else { return }
        isWriting = true
        var batch = self.batch
        self.batch = []
        defer {
            self.batch = batch
            isWriting = false
        }
        var count = 0
        while channel.isOpen, channel.isDrained {
            // Other threads may queue as fast as the peer reads. The other connections have their turn in between.
            if count == Self.batchLimit { return channel.signal(.write) }
            count += 1
            // No frame may follow a close frame, whichever side sent it first (RFC 6455 §5.5.1).
            if hasSentClose { return link.written() }
            // This resumes the waiters of the last batch, which the system has accepted.
            let byteCount = link.takeBatch(&batch, maximumBytes: Self.batchBytes, overhead: overhead)
            if batch.isEmpty { return }
            write(&batch, byteCount: byteCount, channel)
        }
        guard channel.isOpen else { return }
        hasWaited = channel.hasWaited
        link.stall()
    }

    private func write(_ batch: inout [Outgoing], byteCount: Int, _ channel: ByteChannel) {
        var ends = false
        channel.write { out in
            out.reserve(byteCount)
            var index = 0
            while index < batch.count {
                switch batch[index].content {
                case .message:
                    codec.writeMessages(of: &batch, from: &index, to: &out)
                    continue
                case .ping: _ = codec.writePing(to: &out)
                case .close(let code, let reason):
                    hasSentClose = true
                    ends = !codec.writeClose(code, reason: reason, to: &out)
                }
                index += 1
            }
        }
        guard ends else { return }
        // The end would leave the senders of this batch in doubt.
        if channel.isDrained { link.written() }
        channel.close()
    }
}

// MARK: Ending

extension LinkHandler {
    /// Responds to the peer's close frame with the same code, and lets the peer end the connection (RFC 6455 §7.1.1).
    private func answerClose(_ closure: WebSocketClosure, _ channel: ByteChannel) {
        peerClosure = closure
        let isOrderly = hasSentClose || closure.code.isOrderly
        peerFailure = isOrderly ? nil : link.failures.error(closure)
        writeClose(closure.code, "", to: channel)
        link.end(closure, failure: peerFailure)
        lingerForEnd(of: channel)
    }

    /// Ends the connection if neither the peer nor the output's acceptance does in time.
    private func lingerForEnd(of channel: ByteChannel) {
        guard let closeLimit, channel.isOpen else { return }
        linger = Task { [clock = link.clock] in
            do { try await clock.sleep(for: closeLimit) } catch { return }
            channel.signal(.end)
        }
    }

    /// Sends the close code of the peer's violation and ends the connection.
    private func fail(_ fault: ConnectionFault, _ channel: ByteChannel) {
        let closure = WebSocketClosure(code: fault.code, reason: fault.message, wasClean: false)
        peerClosure = closure
        peerFailure = link.failures.error(fault)
        writeClose(fault.code, fault.message, to: channel)
        link.end(closure, failure: peerFailure)
        channel.close()
        lingerForEnd(of: channel)
    }

    /// Sends the close message of this side, unless it was sent.
    private func writeClose(_ code: WebSocketCloseCode, _ reason: String, to channel: ByteChannel) {
        guard !hasSentClose else { return }
        hasSentClose = true
        channel.write { _ = codec.writeClose(code, reason: reason, to: &$0) }
    }

    /// A peer that ends TLS without close_notify has ended the connection. Its messages say whether that was normal.
    func channel(_ channel: ByteChannel, peerEnded isOrderly: Bool) {
        let isOurs = link.isClosing
        link.end(
            .abnormal,
            failure: isOurs
                ? nil : link.failures.error(.connectionLost, .answered, "the connection ended without a close frame")
        )
        channel.abort()
    }
}
