#if HTTP2
    import HeliumBytes
    import HeliumCore
    import HeliumEssentials
    import HeliumWire

    /// HTTP/2 on a connection: many calls at once, each on a stream (RFC 9113).
    final class HTTP2Engine {
        // Strong references: a method can end the connection and go on. The end of the channel breaks the cycle.
        private let connection: HTTPConnection
        private let channel: ByteChannel
        private let session: HTTP2Session
        private var isEnded = false
        private var isFlushDue = false
        /// Whether frames of the peer are being handled. Meanwhile nothing is written.
        private var isReceiving = false
        private var hasGoneAway = false
        /// Whether it takes no calls only because the peer is silent.
        private var isResting = false
        /// Whether the connection was read to its end in this turn.
        private var isJustRead = false
        private(set) var maximumStreams: Int
        /// The time at which bytes arrived last.
        private var lastReceived: UInt64
        /// The time at which bytes of a body were written last.
        private var lastUploaded: UInt64 = 0
        /// The time of the last PING.
        private var lastPinged: UInt64 = 0
        /// Whether ``endIfSilent(since:)`` is to be called.
        private var isPongAwaited = false
        /// The reason why the connection was lost, if it is another one than its end.
        private var failure: TransportFailure?
        /// The calls that are sent when the peer has shown that it is still there.
        private var held: [TransferSlot] = []

        /// The number of bytes that one call of the system may send.
        private static let pieceBytes = 64 << 10

        /// Creates the protocol's side of a connection. Returns `nil` if there is no memory.
        init?(_ connection: HTTPConnection, _ channel: ByteChannel) {
            var settings = HTTP2Settings()
            settings.expectedStreams = connection.worker.pool.expectedStreams(of: connection.group)
            guard let session = HTTP2Session(settings) else { return nil }
            self.connection = connection
            self.channel = channel
            self.session = session
            maximumStreams = session.maximumStreams
            lastReceived = connection.worker.turn.now
            flushLater()
        }

        private var worker: LoopWorker { connection.worker }

        /// Sends what is due at the end of the turn, together with what follows until then.
        private func flushLater() {
            guard !isFlushDue else { return }
            isFlushDue = true
            worker.unflushed.append(connection)
        }
    }

    // MARK: Sending

    extension HTTP2Engine: HTTPEngine {
        var isUsable: Bool {
            // An end of the connection that the loop does not know yet would be taken for the loss of the call.
            let mayHaveEnded = session.streamCount == 0 && !connection.isOpening && !isJustRead
            if mayHaveEnded, !isReceiving, !isEnded { channel.readNow() }
            return !isEnded && channel.isUsable && session.acceptsStreams
        }

        var isShared: Bool { session.streamCount > 1 }

        func send(_ slot: TransferSlot) {
            let now = worker.turn.now
            guard !held.isEmpty || isSilent(at: now) else { return submit(slot) }
            slot.connection = connection
            held.append(slot)
            guard held.count == 1 else { return }
            if lastReceived >= lastPinged {
                lastPinged = now
                session.ping()
                flushLater()
            }
            awaitPong()
        }

        private func awaitPong() {
            guard !isPongAwaited else { return }
            isPongAwaited = true
            worker.awaitPong(of: connection)
        }

        /// Whether the peer may be gone. While nothing arrives because bodies are on their way to it, that is no sign.
        private func isSilent(at now: UInt64) -> Bool {
            // A PING was not answered yet, though the call that needed it may have ended.
            if lastReceived < lastPinged { return true }
            let last = session.streamCount == 0 ? lastReceived : max(lastReceived, lastUploaded)
            return now > last && now - last > worker.times.silence
        }

        /// Sends the calls that were held, because the peer is there.
        private func sendHeld() {
            guard !held.isEmpty else { return }
            let slots = held
            held = []
            for slot in slots where slot.connection === connection { submit(slot) }
        }

        /// Ends the connection if the peer has not answered since `time`. If it has calls under way, it takes no others for now:
        /// these may still get their responses, and the PING may wait behind their bodies.
        func endIfSilent(since time: UInt64) {
            isPongAwaited = false
            guard !isEnded else { return }
            guard lastReceived < time else {
                // This was the answer to the last PING. There may be another one.
                if !held.isEmpty { awaitPong() }
                return
            }
            guard session.streamCount > 0 else { return connection.close() }
            rest()
            moveHeld(.lost("the server did not answer a PING"))
        }

        /// Lets the calls that were held be sent on another connection.
        private func moveHeld(_ abort: TransferAbort) {
            let slots = held
            held = []
            for slot in slots where slot.connection === connection {
                worker.conclude(slot, .nothing, over: .http2, .connectionLost, abort, isCounted: false)
            }
        }

        /// Lets the connection take no more calls.
        private func retire() {
            isResting = false
            goAway()
        }

        /// Lets the connection take no more calls until a byte arrives.
        private func rest() {
            guard !hasGoneAway else { return }
            isResting = true
            goAway()
        }

        private func goAway() {
            guard !hasGoneAway else { return }
            hasGoneAway = true
            worker.wentAway(connection)
        }

        private func endRest() {
            guard isResting, session.acceptsStreams else { return }
            (isResting, hasGoneAway) = (false, false)
            maximumStreams = session.maximumStreams
            worker.cameBack(connection, streams: maximumStreams)
        }

        private func submit(_ slot: TransferSlot) {
            slot.willSend(on: connection)
            slot.isRequestWhole = !slot.hasBody
            if slot.hasBody, slot.expectsContinue {
                slot.isAwaitingContinue = true
                worker.awaitContinue(slot)
            }
            guard !isEnded, let stream = session.submit(slot.request, for: slot) else {
                slot.hasBegun = false
                return worker.conclude(slot, .nothing, over: .http2, .connectionLost, .lost("no stream can be opened"))
            }
            slot.streamID = stream
            flushLater()
        }

        func flush() {
            isFlushDue = false
            guard !isEnded, !isReceiving else { return }
            var rest = ByteChannel.turnBudget
            while channel.isOpen, channel.isDrained, session.wantsToWrite {
                guard rest > 0 else {
                    channel.drainLater()
                    break
                }
                var count = 0
                let uploaded = session.uploadedFrames
                // Calls may end meanwhile, and with the last one the connection, whose output is in use here.
                worker.holdActions {
                    channel.write { output in
                        let before = output.count
                        session.write(into: &output, upTo: HTTP2Engine.pieceBytes)
                        count = output.count - before
                    }
                }
                // All bodies wait for their sources, or for room in the windows.
                if count == 0 { break }
                if session.uploadedFrames != uploaded { lastUploaded = worker.turn.now }
                rest -= count
            }
            // The session may have written why it ends the connection.
            if session.fault != nil, !isEnded {
                isEnded = true
                connection.close()
            }
        }

        func didDrain() { flush() }

        func continueBody(of slot: TransferSlot) {
            // Without room in the windows or the output, nothing is taken from the source.
            slot.checkSource()
            session.continueBody(of: slot.streamID)
            flushLater()
        }

        func sendWithoutContinue(_ slot: TransferSlot) {
            guard slot.isAwaitingContinue else { return }
            slot.isAwaitingContinue = false
            continueBody(of: slot)
        }

        func continueReading(of slot: TransferSlot) {
            guard slot.unconsumed > 0 else { return }
            session.consumed(slot.unconsumed, of: slot.streamID)
            slot.unconsumed = 0
            flushLater()
        }
    }

    // MARK: Receiving

    extension HTTP2Engine {
        func receive(_ bytes: UnsafeRawBufferPointer) {
            guard !isEnded else { return }
            lastReceived = worker.turn.now
            let fault = worker.holdActions {
                isReceiving = true
                let fault = session.receive(bytes, now: lastReceived)
                isReceiving = false
                // The peer is told why, as far as the system accepts it at once.
                if fault != nil { flush() }
                return fault
            }
            if fault != nil, !isEnded {
                isEnded = true
                connection.close()
            }
        }

        func didReceive() {
            guard !isEnded else { return }
            isJustRead = channel.isReadToEnd
            defer { isJustRead = false }
            // First, so that no call is sent here again.
            retireIfNeeded()
            sendHeld()
            endRest()
            noteStreamLimit()
            // The calls above the limit would wait here, although there may be other connections.
            if session.streamCount > maximumStreams { worker.holdActions { session.takeBack() } }
            guard !isEnded else { return }
            if session.wantsToWrite { flushLater() }
        }

        private func retireIfNeeded() {
            if !session.acceptsStreams { retire() }
        }

        private func noteStreamLimit() {
            guard session.maximumStreams != maximumStreams else { return }
            maximumStreams = session.maximumStreams
            worker.streamLimitChanged(connection, to: maximumStreams)
        }

        /// Handles an event of a call's stream.
        func received(_ event: HTTP2Event, for slot: TransferSlot) {
            switch event {
            case .interim:
                let status = slot.head.status
                slot.didReceiveInterim()
                if status == 100 { sendWithoutContinue(slot) }
            case .status:
                slot.didReceiveStatus()
                if slot.head.status < 300 { sendWithoutContinue(slot) }
            case .head: slot.didReceiveHead()
            case .body(let bytes):
                switch slot.receive(bytes) {
                case .goesOn: session.consumed(bytes.count, of: slot.streamID)
                case .pauses: slot.unconsumed += bytes.count
                case .failed(let reason):
                    session.cancel(slot.streamID)
                    end(slot, reason)
                }
            case .end: end(slot, slot.incompleteness)
            case .fault(let fault): end(slot, .response(fault))
            case .closed(let reason): closed(slot, reason)
            }
            flushLater()
        }

        /// Ends or repeats a call whose stream has ended without a complete response.
        private func closed(_ slot: TransferSlot, _ reason: HTTP2End) {
            // Before the call is sent again, which would be here as long as the pool does not know.
            retireIfNeeded()
            noteStreamLimit()
            if reason == .requestBody { return endWithoutBody(slot) }
            // What was written and not accepted yet is lost with the connection only.
            let isOver = isEnded || session.fault != nil || !channel.isOpen
            let isNothing = isOver && channel.acceptedCount == slot.acceptedBefore
            let written: DeliveryRule.Written = isNothing ? .nothing : slot.isRequestWhole ? .whole : .part
            if reason == .lost {
                if let fault = session.fault {
                    return worker.conclude(slot, written, over: .http2, .malformed, .response(fault.responseFault))
                }
                if let failure { return worker.conclude(slot, written, over: .http2, .malformed, .connect(failure)) }
            }
            let (end, message): (DeliveryRule.End, String) =
                switch reason {
                case .refused: (.streamRefused, "the server refused the stream")
                case .notProcessed: (.aboveGoAway, "the server ended the connection before it processed the request")
                case .http1Required: (.http1Required, "the server requires HTTP/1.1")
                case .reset: (.connectionLost, "the server ended the stream before the response was complete")
                case .lost, .requestBody: (.connectionLost, "the connection ended before the response was complete")
                }
            // The call is sent again on another connection, which has no reason to refuse it. Here it was one too many if the
            // peer has announced its limit meanwhile.
            if reason == .refused, session.streamCount < session.maximumStreams { retire() }
            worker.conclude(slot, written, over: .http2, end, .lost(message))
        }

        private func endWithoutBody(_ slot: TransferSlot) {
            worker.ended(slot, .requestBody)
            worker.forget(slot)
        }

        private func end(_ slot: TransferSlot, _ reason: TransferAbort?) {
            let call = slot.poolCall
            slot.poolCall = nil
            worker.ended(slot, reason)
            worker.release(call, isReusable: true)
        }
    }

    // MARK: Ends

    extension HTTP2Engine {
        // The output of the connection can't be taken back, and other calls go on.
        func isUnsent(_ slot: TransferSlot) -> Bool { !session.hasWritten(slot.streamID) }

        func cancel(_ slot: TransferSlot) {
            let isHeld = held.contains { $0 === slot }
            if isHeld {
                held.removeAll { $0 === slot }
            } else {
                session.cancel(slot.streamID)
                flushLater()
            }
            // A peer that has sent nothing since the call's stage began, or since the PING, is not trusted with another
            // one. It may have sent something while the call was young, and then have stopped to read.
            if case .timedOut? = slot.abort, isHeld || lastReceived <= slot.limits.stageStart { rest() }
        }

        func peerEnded(isOrderly: Bool) {
            isEnded = true
        }

        func connectionLost(_ failure: TransportFailure) {
            isEnded = true
            if failure.kind != .connectionLost { self.failure = failure }
            moveHeld(.lost("the idle connection had ended"))
            session.end()
        }
    }

    extension TransferSlot: HTTP2Exchange {
        func received(_ event: HTTP2Event) {
            connection?.http2?.received(event, for: self)
        }
    }
#endif
