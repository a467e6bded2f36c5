internal import HeliumBytes
internal import HeliumWebSocketFraming
internal import NIOCore

/// The last handler of a live connection's pipeline. It turns decoded input into events, writes the queue of its
/// ``LiveConnection`` as the client reads, answers pings, pings idle clients, and closes connections.
///
/// The handler is confined to the channel's event loop.
final class LiveHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = LiveEvent
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private let connection: LiveConnection
    private var codec: any LiveCodec
    private let objectLimit: TimeAmount
    private var context: ChannelHandlerContext?
    /// The bytes that the codec has not consumed yet.
    private var unread = ByteBuffer()
    /// A Boolean value that indicates whether arriving bytes are discarded.
    private var discardsInput = false
    /// Whether the last output was written.
    private var isOver = false
    /// Whether an idle client was pinged.
    private var isAsked = false
    /// The payload of the last ping without a pong. A client that does not read its pongs causes only one pong to be
    /// queued (RFC 6455 §5.5.3).
    private var ping: [UInt8]?
    /// Whether the handler reads from the network. It does not while requests of the client wait to be processed.
    private var isReading = true
    /// The time at which the incomplete object began; `nil` if there is none.
    private var incompleteSince: NIODeadline?
    private var cutOff: Scheduled<Void>?
    private var isWriting = false

    /// The maximum size of a batch in bytes.
    private static let batchBytes = 64 << 10

    /// - Parameter objectLimit: The maximum time from an object's first byte to its last.
    init(connection: LiveConnection, codec: any LiveCodec, objectLimit: TimeAmount) {
        self.connection = connection
        self.codec = codec
        self.objectLimit = objectLimit
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let loop = context.eventLoop
        let bound = NIOLoopBound(self, eventLoop: loop)
        connection.attach(flush: { loop.execute { bound.value.flushQueue() } })
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        cutOff?.cancel()
        connection.finish()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.finish()
        context.fireChannelInactive()
    }
}

// MARK: Input

extension LiveHandler {
    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAsked = false
        guard !discardsInput else { return }
        var bytes = unwrapInboundIn(data)
        if unread.readableBytes == 0 {
            unread = bytes
        } else {
            unread.writeBuffer(&bytes)
        }
        var hasAdvanced = false
        do throws(LiveFault) {
            while !discardsInput, let arrival = try nextArrival() {
                if !codec.isWithinObject { hasAdvanced = true }
                switch arrival {
                case .object(let bytes): context.fireChannelRead(wrapInboundOut(.object(bytes)))
                case .ping(let payload):
                    ping = payload
                    answerPing(context)
                case .pong: break
                case .close(let code): answerClose(context, code)
                }
            }
        } catch {
            fail(error, context)
        }
        if discardsInput || unread.readableBytes == 0 {
            // Release the buffer, so that the channel can reuse its memory.
            unread = ByteBuffer()
        } else {
            unread.discardReadBytes()
        }
        watchObject(context, hasAdvanced: hasAdvanced)
    }

    private func nextArrival() throws(LiveFault) -> LiveArrival? {
        try unread.take { bytes, consumed throws(LiveFault) in try codec.next(bytes, consumed: &consumed) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.flush()
        context.fireChannelReadComplete()
    }

    private func answerPing(_ context: ChannelHandlerContext) {
        guard let payload = ping, !isOver, context.channel.isWritable else { return }
        ping = nil
        var out = ByteQueue()
        codec.writePong(payload, to: &out)
        context.write(wrapOutboundOut(context.channel.allocator.buffer(out)), promise: nil)
    }
}

// MARK: Timeouts

extension LiveHandler {
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as IdleStateHandler.IdleStateEvent where event == .read:
            pingIdleClient(context)
        case let event as ChannelEvent where event == .inputClosed && discardsInput:
            if isOver { context.close(promise: nil) }
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func pingIdleClient(_ context: ChannelHandlerContext) {
        // The server itself is not reading, so the client is not idle.
        guard isReading, !discardsInput else { return }
        guard !isAsked else { return context.close(promise: nil) }
        var out = ByteQueue()
        guard codec.writePing(to: &out) else { return }
        isAsked = true
        send(out, context)
    }

    /// Tracks whether an object is incomplete, and since when. Bytes that arrive slowly count as activity, but they
    /// must complete an object in time.
    private func watchObject(_ context: ChannelHandlerContext, hasAdvanced: Bool) {
        guard !discardsInput, unread.readableBytes > 0 || codec.isWithinObject else {
            incompleteSince = nil
            return
        }
        if hasAdvanced || incompleteSince == nil { incompleteSince = .now() }
        if cutOff == nil { scheduleCutOff(context, in: objectLimit) }
    }

    private func scheduleCutOff(_ context: ChannelHandlerContext, in time: TimeAmount) {
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        cutOff = context.eventLoop.scheduleTask(in: time) { bound.value.checkObject() }
    }

    private func checkObject() {
        cutOff = nil
        guard let context, let since = incompleteSince, !discardsInput else { return }
        if !isReading { incompleteSince = .now() }
        let left = (isReading ? since : .now()) + objectLimit - .now()
        guard left <= .zero else { return scheduleCutOff(context, in: left) }
        fail(
            LiveFault(
                code: CloseCode.policyViolation,
                reason: "Bad Request: the rest of an object did not arrive in time"
            ),
            context
        )
    }
}

// MARK: Output

extension LiveHandler {
    private func flushQueue() {
        if let context { writeQueue(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeQueue(context)
        answerPing(context)
        context.flush()
        context.fireChannelWritabilityChanged()
    }

    private func writeQueue(_ context: ChannelHandlerContext) {
        // The write calls this function again when the system has accepted the bytes, usually at once.
        guard !isWriting else { return }
        isWriting = true
        defer { isWriting = false }
        while !isOver, context.channel.isWritable {
            let batch = connection.takeBatch(maximumBytes: Self.batchBytes)
            if batch.outputs.isEmpty { return }
            write(batch, context)
        }
    }

    private func write(_ batch: LiveConnection.Batch, _ context: ChannelHandlerContext) {
        var out = ByteQueue()
        out.reserve(batch.byteCount + batch.outputs.count * (codec.overhead + 2))
        for output in batch.outputs where !isOver {
            switch output {
            case .object(let object): codec.write(object, to: &out)
            case .close(let code):
                isOver = true
                _ = codec.writeClose(code, reason: "", to: &out)
            case .refusal(let code, let reason):
                (isOver, discardsInput) = (true, true)
                _ = codec.writeClose(code, reason: reason, to: &out)
            }
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { [connection, cost = batch.cost] _ in connection.sent(cost: cost) }
        send(out, context, promise)
        if isOver {
            connection.finish()
            if discardsInput { context.endOutput() } else { context.close(promise: nil) }
        }
    }

    private func send(
        _ encoded: borrowing ByteQueue,
        _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>? = nil
    ) {
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(encoded)), promise: promise)
    }
}

// MARK: Closing

extension LiveHandler {
    /// Answers a close frame of the client with the same code (RFC 6455 §5.5.1), and closes the connection (RFC 6455
    /// §7.1.1).
    private func answerClose(_ context: ChannelHandlerContext, _ code: UInt16?) {
        discardsInput = true
        guard !isOver else { return context.close(promise: nil) }
        isOver = true
        connection.finish()
        var out = ByteQueue()
        _ = codec.writeClose(code, reason: "", to: &out)
        send(out, context)
        context.close(promise: nil)
    }

    /// Sends the client the protocol rule that it violated, and closes the connection.
    private func fail(_ fault: LiveFault, _ context: ChannelHandlerContext) {
        guard !discardsInput else { return }
        discardsInput = true
        incompleteSince = nil
        guard !isOver else { return }
        var out = ByteQueue()
        guard codec.writeClose(fault.code, reason: fault.reason, to: &out) else {
            // The encoding has no close frames. Only the protocol can send the reason.
            context.fireChannelRead(wrapInboundOut(.broken(fault.reason)))
            context.fireChannelReadComplete()
            return
        }
        isOver = true
        connection.finish()
        send(out, context)
        context.endOutput()
    }
}

extension ChannelHandlerContext {
    /// Closes the sending side of the connection, and the whole connection one second later if the peer has not closed
    /// its side.
    ///
    /// Closing at once while bytes of the peer are unread would reset the connection, and the peer would lose the last
    /// message (RFC 9112 §9.6).
    func endOutput() {
        let channel = channel
        let timer = eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        close(mode: .output, promise: nil)
    }
}
