import HeliumBytes
import HeliumCore
import HeliumEssentials
import HeliumWire

/// HTTP/1.1 on a connection: one call after the other (RFC 9112).
final class HTTP1Engine {
    // Strong references: a method can end the connection and go on. The end of the channel breaks the cycle.
    private let connection: HTTPConnection
    private let channel: ByteChannel
    // The reader, and what is stored by an assignment, call nothing, so that two accesses can't overlap.
    @exclusivity(unchecked) private var reader = HTTP1Reader()
    /// The call whose response is awaited.
    @exclusivity(unchecked) private var slot: TransferSlot?
    @exclusivity(unchecked) private var phase = Phase.idle
    /// Whether the connection was read to its end in this turn.
    private var isJustRead = false
    /// Whether the server sent bytes before the first request. The first call gets them, because they may say why the server
    /// refuses the connection. Whatever follows them would be taken for the response to another request.
    private let hadEarlyBytes: Bool
    @exclusivity(unchecked) private var sending = Sending.nothing
    /// The memory for a body that is read while it is sent. The channel refers to what it has not sent of it.
    private var bodyMemory: UnsafeMutableRawBufferPointer?

    private enum Phase {
        case idle
        case exchange
        /// The response is complete, and more bytes of the same turn may follow.
        case ending(PoolCall?, isReusable: Bool)
        case closed
    }

    /// The part of the request that is still to be sent.
    private enum Sending {
        case nothing
        case body
        /// The body waits for the response 100, or for the end of the wait (RFC 9110 §10.1.1).
        case afterContinue
        /// The rest of the request is not sent, so that the connection can't be used again.
        case givenUp
    }

    /// The size up to which a body goes with the head, in one block.
    private static let pieceBytes = 16 << 10
    /// The size of ``bodyMemory``. glibc takes blocks of 128 KiB and more from the system instead of the heap.
    private static let bodyMemoryBytes = 120 << 10
    /// The number of missing bytes from which a body is read straight into its memory.
    private static let directBytes: Int64 = 16 << 10

    init(_ connection: HTTPConnection, _ channel: ByteChannel) {
        self.connection = connection
        self.channel = channel
        hadEarlyBytes = channel.hasEarlyBytes
    }

    deinit { bodyMemory?.deallocate() }

    private var worker: LoopWorker { connection.worker }
}

// MARK: Sending

extension HTTP1Engine: HTTPEngine {
    var isUsable: Bool {
        guard case .idle = phase else { return false }
        // Bytes that arrive while no response is expected make the connection useless, also if the loop does not know them
        // yet.
        if !connection.isOpening, !isJustRead { channel.readNow() }
        guard case .idle = phase else { return false }
        return channel.isUsable
    }

    func send(_ slot: TransferSlot) {
        self.slot = slot
        phase = .exchange
        slot.willSend(on: connection)
        reader.begin(ResponseContext(method: slot.request.method), head: slot.head)
        sending = .nothing
        if slot.hasBody {
            sending = slot.expectsContinue ? .afterContinue : .body
        } else {
            slot.isRequestWhole = true
        }
        if case .afterContinue = sending { worker.awaitContinue(slot) }
        if case .body = sending, slot.requestBody.map({ $0.count > HTTP1Engine.pieceBytes }) ?? true {
            // The first part goes with the head too, from its own memory.
            let head: (inout ByteQueue) -> Void = { HTTP1Writer.write(slot.request, into: &$0) }
            if writePart(of: slot, upTo: ByteChannel.turnBudget, after: head) != nil { pump() }
            return
        }
        channel.write { output in
            HTTP1Writer.write(slot.request, into: &output)
            // A small body goes with the head, in one call of the system.
            if case .body = sending, let body = slot.requestBody, body.count <= HTTP1Engine.pieceBytes {
                output.append(upTo: body.count) { room in
                    _ = slot.supplyBody(room)
                    return body.count
                }
                sending = .nothing
            }
        }
        pump()
    }

    /// Sends as much of the body as the system accepts.
    private func pump() {
        var rest = ByteChannel.turnBudget
        while case .body = sending, let slot, channel.isOpen, channel.isDrained {
            guard rest > 0 else { return channel.drainLater() }
            guard let count = writePart(of: slot, upTo: rest) else { return }
            rest -= max(count, 1)
        }
    }

    /// Passes the next part of the body to the channel.
    ///
    /// - Parameter encode: Appends what precedes the part.
    /// - Returns: The number of bytes, or `nil` if there are none for now or if the body has failed.
    private func writePart(
        of slot: TransferSlot,
        upTo limit: Int,
        after encode: (inout ByteQueue) -> Void = { _ in }
    ) -> Int? {
        switch slot.supplyPart(upTo: limit, room: roomForBody) {
        case .bytes(let bytes, let isLast):
            write(bytes, of: slot, after: encode)
            if isLast { bodyEnded(slot) }
            return bytes.count
        case .stored(let count, let isLast):
            // No more is read before the channel has sent it.
            let bytes = bodyMemory?.baseAddress.map { Data(bytesNoCopy: $0, count: count, deallocator: .none) }
            write(bytes ?? Data(), of: slot, after: encode)
            if isLast { bodyEnded(slot) }
            return count
        case .nothing:
            channel.write(encode)
            return nil
        case .end:
            channel.write(encode)
            bodyEnded(slot)
            return 0
        case .failed:
            sending = .givenUp
            fail(.requestBody)
            return nil
        }
    }

    /// Writes a part of the body, as a chunk if its length was not announced.
    private func write(_ bytes: Data, of slot: TransferSlot, after encode: (inout ByteQueue) -> Void) {
        guard slot.request.body == .unknown else {
            channel.write(encode, then: bytes)
            return
        }
        channel.write { output in
            encode(&output)
            bytes.withUnsafeBytes { HTTP1Writer.writeChunk($0, into: &output) }
        }
    }

    private func roomForBody() -> UnsafeMutableRawBufferPointer {
        if let bodyMemory { return bodyMemory }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: HTTP1Engine.bodyMemoryBytes, alignment: 16)
        bodyMemory = memory
        return memory
    }

    private func bodyEnded(_ slot: TransferSlot) {
        // The connection may have been lost, and the call may be on its way to another one.
        guard slot === self.slot else { return }
        sending = .nothing
        slot.isRequestWhole = true
        if slot.request.body == .unknown { channel.write { HTTP1Writer.writeEnd(into: &$0) } }
    }

    func continueBody(of slot: TransferSlot) {
        guard slot === self.slot else { return }
        // While the head waits for room in the output, nothing is taken from the source.
        slot.checkSource()
        pump()
    }

    func sendWithoutContinue(_ slot: TransferSlot) {
        guard slot === self.slot, case .afterContinue = sending else { return }
        sending = .body
        pump()
    }

    func didDrain() { pump() }

    /// Gives the rest of the request up.
    private func stopSending() {
        switch sending {
        case .nothing: break
        case .body, .afterContinue, .givenUp: sending = .givenUp
        }
    }
}

// MARK: Receiving

extension HTTP1Engine {
    func receive(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while case .exchange = phase, let slot {
            switch reader.read(bytes, from: &position) {
            case .needsBytes:
                if !slot.head.isComplete { slot.headContinues() }
                if let rest = reader.remainingBytes, rest >= HTTP1Engine.directBytes { channel.intake = self }
                return
            case .interim(let status):
                slot.didReceiveInterim()
                if status == 100 { sendWithoutContinue(slot) }
            case .status:
                slot.didReceiveStatus()
                if slot.head.status < 300 { sendWithoutContinue(slot) } else { stopSending() }
            case .head: slot.didReceiveHead()
            case .body(let part):
                guard take(slot.receive(part)) else { return }
            case .end(let isReusable): responseEnded(slot, isReusable: isReusable)
            case .fault(let fault): return fail(.response(fault))
            }
        }
        // Bytes that no call has asked for: whatever they are, the connection can't be trusted with another call.
        if position < bytes.count { distrust() }
    }

    /// Handles an effect of bytes of the body. Returns whether more may be read.
    private func take(_ step: TransferSlot.BodyStep) -> Bool {
        switch step {
        case .goesOn: return true
        case .pauses:
            channel.isPaused = true
            return true
        case .failed(let reason):
            fail(reason)
            return false
        }
    }

    private func responseEnded(_ slot: TransferSlot, isReusable: Bool) {
        var isWhole = channel.isDrained
        if case .nothing = sending {} else { isWhole = false }
        sending = .nothing
        if channel.isDrained {
            bodyMemory?.deallocate()
            bodyMemory = nil
        }
        self.slot = nil
        phase = .ending(slot.poolCall, isReusable: isReusable && isWhole && !hadEarlyBytes)
        slot.poolCall = nil
        channel.isPaused = false
        worker.ended(slot, slot.incompleteness)
    }

    private func distrust() {
        switch phase {
        case .idle:
            phase = .closed
            connection.close()
        case .ending(let call, _): phase = .ending(call, isReusable: false)
        case .exchange, .closed: break
        }
    }

    func didReceive() {
        guard case .ending(let call, let isReusable) = phase else { return }
        let mayGoOn = isReusable && channel.isUsable
        phase = mayGoOn ? .idle : .closed
        // After a full budget there may be more.
        isJustRead = channel.isReadToEnd
        defer { isJustRead = false }
        worker.release(call, isReusable: mayGoOn, keepAlive: reader.keepAlive)
    }

    func continueReading(of slot: TransferSlot) {
        if slot === self.slot { channel.isPaused = false }
    }
}

extension HTTP1Engine: ChannelIntake {
    func room(upTo limit: Int) -> UnsafeMutableRawBufferPointer? {
        // The last bytes are read with those that may follow, so that one call of the system finds that nothing does.
        guard case .exchange = phase, let slot, let rest = reader.remainingBytes, rest >= HTTP1Engine.directBytes else {
            channel.intake = nil
            return nil
        }
        return slot.bodyRoom(upTo: Int(min(Int64(limit), rest)), ofRest: rest)
    }

    func didFill(_ count: Int) {
        guard let slot else { return }
        reader.didTakeBody(count)
        // The end of the response needs no bytes.
        if take(slot.didFill(count)) { receive(UnsafeRawBufferPointer(start: nil, count: 0)) }
    }
}

// MARK: Ends

extension HTTP1Engine {
    func isUnsent(_ slot: TransferSlot) -> Bool { channel.acceptedCount == slot.acceptedBefore }

    func cancel(_ slot: TransferSlot) {
        guard slot === self.slot else { return }
        self.slot = nil
        phase = .closed
        connection.close()
    }

    /// Ends the call, and with it the connection, of which nothing more is known.
    private func fail(_ reason: TransferAbort) {
        guard let slot else { return }
        self.slot = nil
        phase = .closed
        // A body can fail before the head was written.
        slot.isUnsent = isUnsent(slot)
        worker.ended(slot, reason)
        connection.close()
        worker.forget(slot)
    }

    func peerEnded(isOrderly: Bool) {
        guard case .exchange = phase, let slot else {
            if case .ending = phase { didReceive() }
            phase = .closed
            return
        }
        switch reader.end(isOrderly: isOrderly, isSecure: connection.group.isSecure) {
        case .end:
            responseEnded(slot, isReusable: false)
            didReceive()
        case .fault(let fault): fail(.response(fault))
        case .lost(let message): lose(slot, message, hasBegun: reader.isMidway)
        }
    }

    func connectionLost(_ failure: TransportFailure) {
        phase = .closed
        guard let slot else { return }
        guard failure.kind == .connectionLost else {
            self.slot = nil
            return worker.conclude(slot, written(of: slot), over: .http1, .malformed, .connect(failure))
        }
        // What has arrived says how much is missing.
        switch reader.end(isOrderly: true, isSecure: false) {
        case .lost(let message): lose(slot, message, hasBegun: reader.isMidway)
        // The server did not read the rest of the request, which could not be written any more.
        case .end where channel.hasPeerEndedInOrder: end(slot, slot.incompleteness)
        case .end, .fault: lose(slot, "the connection ended before the response was complete", hasBegun: true)
        }
    }

    private func end(_ slot: TransferSlot, _ reason: TransferAbort?) {
        self.slot = nil
        worker.ended(slot, reason)
        worker.forget(slot)
    }

    private func written(of slot: TransferSlot) -> DeliveryRule.Written {
        isUnsent(slot) ? .nothing : slot.isRequestWhole ? .whole : .part
    }

    /// Ends a call whose connection was lost.
    ///
    /// - Parameter hasBegun: Whether a part of the response has arrived.
    private func lose(_ slot: TransferSlot, _ message: String, hasBegun: Bool) {
        self.slot = nil
        phase = .closed
        let isReused = !slot.isOpener && !hasBegun
        worker.conclude(
            slot,
            written(of: slot),
            over: .http1,
            .connectionLost,
            .lost(isReused ? "the reused connection ended before the response" : message)
        )
    }
}
