internal import HeliumBytes
internal import HeliumCore
internal import NIOCore
internal import NIOSSL

/// The last handler of a channel's pipeline. It passes received messages from the codec to the link, and writes the
/// messages that the link has queued.
///
/// It belongs to the channel's event loop. While the link has paused it, it does not read from the network.
final class LinkHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let link: MessageLink
    private let codec: any MessageCodec
    /// The overhead of the codec, cached because reading it for every message would be expensive.
    private let overhead: Int
    private var context: ChannelHandlerContext?
    /// The bytes that the codec has not consumed yet.
    private var unread = ByteBuffer()
    /// Whether the link accepts no more messages until it resumes reading.
    private var isHeldBack = false
    /// Whether the peer is too fast, so that nothing is read until a timer ends.
    private var isPaused = false
    /// Whether a read was requested while reading was paused.
    private var isReadPending = false
    /// The pace of the peer; `nil` for no limit.
    private var pace: ArrivalPace?
    /// The bytes that the pace has not accounted for.
    private var arrivedBytes = 0
    /// Whether a message was completed, or a control frame outside of one, since the last report to the link.
    private var hasAdvanced = false
    private var hasSentClose = false
    /// The peer's close message. Data after it is ignored.
    private var peerClosure: WebSocketClosure?
    /// The last unanswered ping. Older ones need no pong of their own (RFC 6455 §5.5.3).
    private var ping: [UInt8]?

    /// The messages that are written together. Only its memory is kept between batches.
    private var batch: [Outgoing] = []
    /// The memory of the last write, if it is not large. The channel has usually released it by the next write.
    private var spare = ByteBuffer()
    private var isWriting = false

    /// The maximum size of a batch: large enough to save system calls, and small enough that a cancelled message can
    /// usually still be removed.
    private static let batchBytes = 64 << 10
    /// The most memory that is kept between writes.
    private static let spareBytes = 4 << 10

    private let closeLimit: Duration?
    /// Waits for the peer to end the connection after both close messages.
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

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let loop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: loop)
        let flush: @Sendable () -> Void = { bound.value.flushQueue() }
        link.attach(
            MessageLink.Port(
                flush: { loop.execute(flush) },
                resume: { loop.execute { bound.value.resume() } },
                cut: { loop.execute { bound.value.cut() } },
                executor: EventLoopExecutor(loop)
            )
        )
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        linger?.cancel()
        pauseTimer?.cancel()
        end(.abnormal, link.failures.error(.connectionLost, .answered, "the connection ended"))
        link.detach()
    }
}

// MARK: Receiving

extension LinkHandler {
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        arrivedBytes += bytes.readableBytes
        if unread.readableBytes == 0 {
            unread = bytes
        } else {
            var joined = takeUnread()
            joined.writeBuffer(&bytes)
            unread = joined
        }
        readMessages(context)
        reportArrival()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        answerPing(context)
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isHeldBack || isPaused {
            isReadPending = true
        } else {
            context.read()
        }
    }

    /// Returns the unread bytes and leaves none. A property that is passed to a function, instead of a local variable,
    /// is checked for exclusive access at run time, which costs a good part of a small message.
    private func takeUnread() -> ByteBuffer {
        let bytes = unread
        unread = ByteBuffer()
        return bytes
    }

    private func next(_ bytes: inout ByteBuffer) throws(ConnectionFault) -> DecodedItem? {
        try bytes.take { bytes, consumed throws(ConnectionFault) in try codec.next(bytes, consumed: &consumed) }
    }

    private func readMessages(_ context: ChannelHandlerContext) {
        guard !isHeldBack, !isPaused else { return }
        var bytes = takeUnread()
        var arrivals = 0
        defer { slowDown(arrivals) }
        do throws(ConnectionFault) {
            while peerClosure == nil, let arrival = try next(&bytes) {
                arrivals += 1
                switch arrival {
                case .message(let message, let byteCount):
                    hasAdvanced = true
                    isHeldBack = link.deliver(message, byteCount: byteCount)
                    if isHeldBack {
                        unread = bytes
                        return
                    }
                case .ping(let payload):
                    ping = payload
                    if !codec.isWithinMessage { hasAdvanced = true }
                case .pong:
                    if !codec.isWithinMessage { hasAdvanced = true }
                case .close(let closure): answerClose(closure, context)
                }
                if let pace, arrivals >= pace.interval {
                    slowDown(arrivals)
                    arrivals = 0
                    if isPaused {
                        unread = bytes
                        return
                    }
                }
            }
            // A buffer that has been read is released, so that the channel can reuse its memory.
            if bytes.readableBytes > 0, peerClosure == nil {
                bytes.discardReadBytes()
                unread = bytes
            }
        } catch {
            fail(error, context)
        }
    }

    /// Reports an arrival to the link. The time in which this side has paused reading does not count against the peer.
    private func reportArrival() {
        let isOurs = isHeldBack || isPaused || peerClosure != nil
        let isIncomplete = !isOurs && (unread.readableBytes > 0 || codec.isWithinMessage)
        link.arrived(isIncomplete: isIncomplete, hasAdvanced: hasAdvanced)
        hasAdvanced = false
    }

    private func resume() {
        isHeldBack = false
        continueReading()
    }

    private func continueReading() {
        guard let context else { return }
        readMessages(context)
        reportArrival()
        answerPing(context)
        readAgain(context)
    }

    private func readAgain(_ context: ChannelHandlerContext) {
        guard isReadPending, !isHeldBack, !isPaused else { return }
        isReadPending = false
        context.read()
    }

    /// Records the arrivals, and pauses reading if the peer is too fast.
    private func slowDown(_ arrivals: Int) {
        guard var pace, let context else { return }
        let pause = pace.pause(afterArrivals: arrivals, bytes: arrivedBytes, now: link.clock.uptime)
        self.pace = pace
        arrivedBytes = 0
        guard let pause else { return }
        guard !isPaused, peerClosure == nil else { return }
        isPaused = true
        link.pace(isPaused: true)
        let loop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: loop)
        pauseTimer = Task { [clock = link.clock] in
            do { try await clock.sleep(for: pause) } catch { return }
            loop.execute { bound.value.endPause() }
        }
    }

    private func endPause() {
        isPaused = false
        continueReading()
        // The arrival has been reported, with which the silence of the peer begins.
        if !isPaused { link.pace(isPaused: false) }
    }

    private func answerPing(_ context: ChannelHandlerContext) {
        guard let payload = ping, !hasSentClose, context.channel.isWritable else { return }
        ping = nil
        var out = ByteQueue()
        codec.writePong(payload, to: &out)
        send(out, context)
    }

    private func send(_ encoded: borrowing ByteQueue, _ context: ChannelHandlerContext) {
        var out = context.channel.allocator.buffer(capacity: encoded.count)
        out.write(encoded)
        context.writeAndFlush(wrapOutboundOut(out), promise: nil)
    }
}

// MARK: Sending

extension LinkHandler {
    private func flushQueue() {
        guard let context else { return }
        writeQueue(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeQueue(context)
        answerPing(context)
        context.fireChannelWritabilityChanged()
    }

    private func writeQueue(_ context: ChannelHandlerContext) {
        // Writing calls this method again when the system has accepted the data, which usually happens at once.
        guard !isWriting else { return }
        isWriting = true
        var batch = self.batch
        self.batch = []
        defer {
            self.batch = batch
            isWriting = false
        }
        let channel = context.channel
        while channel.isWritable {
            // No frame may follow a close frame, whichever side sent it first (RFC 6455 §5.5.1).
            if hasSentClose { return link.written(nil) }
            let isAwaited = link.takeBatch(&batch, maximumBytes: Self.batchBytes, overhead: overhead)
            if batch.isEmpty { return }
            write(batch, context, isAwaited: isAwaited)
        }
        link.stall()
    }

    private func write(_ batch: [Outgoing], _ context: ChannelHandlerContext, isAwaited: Bool) {
        var ends = false
        var encoded = ByteQueue()
        encoded.reserve(capacity(for: batch))
        for outgoing in batch {
            switch outgoing.content {
            case .message(let message, _): codec.write(message, to: &encoded)
            case .ping: _ = codec.writePing(to: &encoded)
            case .close(let code, let reason):
                hasSentClose = true
                ends = !codec.writeClose(code, reason: reason, to: &encoded)
            }
        }
        var out = spare
        spare = ByteBuffer()
        out.clear(minimumCapacity: encoded.count)
        out.write(encoded)
        // If no task waits for the result, the channel's writability is sufficient.
        let promise = isAwaited ? context.eventLoop.makePromise(of: Void.self) : nil
        promise?.futureResult.whenComplete { [link] result in
            switch result {
            case .success: link.written(nil)
            case .failure(let error): link.written(link.failures.connectionLostError(error))
            }
        }
        context.writeAndFlush(wrapOutboundOut(out), promise: promise)
        if out.capacity <= Self.spareBytes { spare = out }
        if ends { context.close(promise: nil) }
    }

    private func capacity(for batch: [Outgoing]) -> Int {
        batch.reduce(0) { sum, outgoing in
            if case .message(_, let byteCount) = outgoing.content {
                sum + byteCount + overhead
            } else {
                sum + 128 + overhead
            }
        }
    }
}

// MARK: Ending

extension LinkHandler {
    /// Responds to the peer's close frame with the same code, and lets the peer end the connection (RFC 6455 §7.1.1).
    private func answerClose(_ closure: WebSocketClosure, _ context: ChannelHandlerContext) {
        peerClosure = closure
        let wasOurs = hasSentClose
        if !hasSentClose {
            hasSentClose = true
            var out = ByteQueue()
            _ = codec.writeClose(closure.code, reason: "", to: &out)
            send(out, context)
        }
        let isOrderly = wasOurs || closure.code.isOrderly
        end(closure, isOrderly ? nil : link.failures.error(closure))
        guard let closeLimit else { return }
        let loop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: loop)
        linger = Task { [clock = link.clock] in
            do { try await clock.sleep(for: closeLimit) } catch { return }
            loop.execute { bound.value.cut() }
        }
    }

    /// Sends the close code of the peer's violation and ends the connection.
    private func fail(_ fault: ConnectionFault, _ context: ChannelHandlerContext) {
        unread = ByteBuffer()
        peerClosure = WebSocketClosure(code: fault.code, reason: fault.message, wasClean: false)
        if !hasSentClose {
            hasSentClose = true
            var out = ByteQueue()
            if codec.writeClose(fault.code, reason: fault.message, to: &out) { send(out, context) }
        }
        end(WebSocketClosure(code: fault.code, reason: fault.message, wasClean: false), link.failures.error(fault))
        context.close(promise: nil)
    }

    /// Ends the connection at once, because a time limit or a closing caller waits no longer.
    private func cut() {
        guard let context else { return }
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A peer that ends TLS without a close notification has ended the connection. The end of the channel shows
        // whether that was normal.
        if case .uncleanShutdown? = error as? NIOSSLError { return }
        end(.abnormal, link.failures.connectionLostError(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let isOurs = link.isClosing
        end(
            .abnormal,
            isOurs ? nil : link.failures.error(.connectionLost, .answered, "the connection ended without a close frame")
        )
        context.fireChannelInactive()
    }

    private func end(_ closure: WebSocketClosure, _ failure: HeliumError?) { link.end(closure, failure: failure) }
}
