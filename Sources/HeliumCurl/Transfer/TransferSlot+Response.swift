import HeliumCore
import HeliumEssentials
import HeliumWire

// The response, as it arrives. Called on the loop thread while the loop owns the slot.
extension TransferSlot {
    /// Enters a stage of the transfer, or restarts it.
    func enter(_ stage: TransferLimits.Stage) {
        limits.enter(stage, now: turn.now)
        turn.earliest = min(turn.earliest, limits.deadline)
    }

    /// Called when the head of the request is about to be passed to `connection`.
    func willSend(on connection: HTTPConnection) {
        self.connection = connection
        hasBegun = true
        acceptedBefore = connection.acceptedCount
        acceptedAtCheck = acceptedBefore
        enter(upload == nil ? .firstByte : .sending)
    }

    /// Notes that bytes of the head have arrived. A slow head does not time out as long as its lines arrive.
    func headContinues() {
        if firstByteTime == 0 { firstByteTime = turn.now }
        limits.enter(limits.stage, now: turn.now)
    }

    /// Notes a whole interim head.
    func didReceiveInterim() {
        if firstByteTime == 0 { firstByteTime = turn.now }
        enter(limits.stage == .sending ? .sending : .firstByte)
    }

    /// Notes the final status line.
    func didReceiveStatus() {
        if firstByteTime == 0 { firstByteTime = turn.now }
        // After a redirect or an error, no more of the body is sent, and what becomes of its source does not matter.
        if head.status >= 300 {
            sourceGoesOn()
            upload?.stop()
        }
        enter(.idle)
    }

    /// Prepares for the body that the complete head announces.
    func didReceiveHead() {
        if case .known(let format) = head.framing.coding {
            let mayBeCut = request.method != "HEAD" && head.endsWithConnection
            let decoder = ContentDecoder(format, ratioLimit: ratioLimit, mayBeEmpty: !mayBeCut)
            if let stream {
                stream.setDecoder(decoder)
            } else {
                self.decoder = consume decoder
            }
        }
        if stream != nil { touch() }
    }

    /// The effect of body bytes on the connection.
    enum BodyStep {
        case goesOn
        /// The consumer of a stream wants no more for now.
        case pauses
        case failed(TransferAbort)
    }

    /// Takes a part of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> BodyStep {
        let coding = head.framing.coding
        guard coding != .unknown else {
            return .failed(.malformed("the body has a content coding that was not requested"))
        }
        limits.enter(.idle, now: turn.now)
        if let stream {
            guard let wantsMore = stream.append(bytes, now: turn.now) else { return .failed(.outOfMemory) }
            touch()
            guard !wantsMore else { return .goesOn }
            limits.suspend()
            return .pauses
        }
        if coding != .identity {
            if let reason = decode(bytes) { return .failed(reason) }
            return .goesOn
        }
        switch body.append(bytes, upTo: bodyLimit, announced: announcedLength) {
        case .appended: return .goesOn
        case .tooLong: return .failed(.ceiling(.bodyBytes, limit: bodyLimit))
        case .outOfMemory: return .failed(.outOfMemory)
        }
    }

    /// Returns memory for the next bytes of a body with a length; `nil` if they have to be passed to ``receive(_:)``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes, at most `rest`.
    ///   - rest: The number of bytes that are missing.
    func bodyRoom(upTo limit: Int, ofRest rest: Int64) -> UnsafeMutableRawBufferPointer? {
        if let stream {
            guard head.framing.coding != .unknown, stream.lend(&body) else { return nil }
            let announced = body.count + Int(clamping: min(rest, Int64(StreamSource.blockBytes)))
            let least = TransferSlot.smallestRoom
            if let room = body.room(upTo: limit, atLeast: least, announced: announced) { return room }
            _ = stream.takeBack(&body, adding: 0, now: turn.now)
            return nil
        }
        // A body that is too long fails like any other.
        guard head.framing.coding == .identity, rest <= bodyLimit - body.count else { return nil }
        return body.room(upTo: limit, atLeast: TransferSlot.smallestRoom, announced: body.count + Int(rest))
    }

    /// Takes the bytes that were stored in the memory that ``bodyRoom(upTo:ofRest:)`` has returned.
    func didFill(_ count: Int) -> BodyStep {
        if count > 0 { limits.enter(.idle, now: turn.now) }
        guard let stream else {
            body.didFill(count)
            return .goesOn
        }
        let wantsMore = stream.takeBack(&body, adding: count, now: turn.now)
        // Also without new bytes: a consumer that came meanwhile waits, though there may have been some before.
        touch()
        guard !wantsMore else { return .goesOn }
        limits.suspend()
        return .pauses
    }

    /// The number of bytes for which ``bodyRoom(upTo:ofRest:)`` has room at least.
    private static let smallestRoom = 64 << 10

    /// The reason why a complete body is incomplete by its content coding; `nil` if it is complete.
    var incompleteness: TransferAbort? {
        guard decoder != nil else { return nil }
        return decoder?.incompleteness ?? nil
    }

    /// Decodes `bytes` and adds the result to the collected body. Returns the error if that fails.
    private func decode(_ bytes: UnsafeRawBufferPointer) -> TransferAbort? {
        var rest = bytes
        while true {
            // One byte more than the limit: if that byte is produced, the body is too large.
            let limit = min(bodyLimit - body.count, .max - 1) + 1
            switch decoder?.decode(rest, into: &body, limit: limit) {
            case .took(let count, let isFull)?:
                guard body.count <= bodyLimit else { return .ceiling(.bodyBytes, limit: bodyLimit) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                if rest.isEmpty, !isFull { return nil }
            case .failed(let reason)?: return reason
            case nil: return .malformed("the body has a content coding without a decoder")
            }
        }
    }

    private func announcedLength() -> Int? {
        head.framing.length.flatMap { $0 > 0 ? min(Int(clamping: $0), bodyLimit) : nil }
    }

    /// Marks the slot to be processed at the end of this turn of the loop.
    private func touch() {
        guard !isTouched else { return }
        isTouched = true
        turn.touched.append(self)
    }
}

// MARK: The request's body

extension TransferSlot {
    /// Copies the next bytes of the request's body.
    func supplyBody(_ room: UnsafeMutableRawBufferPointer) -> BodySupply {
        if isAwaitingContinue { return .nothing }
        // After a redirect or an error, no more of the body is sent. HTTP/2 ends the stream with the response.
        guard head.status < 300 else { return .nothing }
        guard let upload else { return supplyCollected(room) }
        switch upload.take(into: room) {
        case .bytes(let count, let isLast):
            isUploadBegun = true
            suppliedCount += count
            sourceGoesOn()
            didSupply(isLast: isLast)
            return .bytes(count, isLast: isLast)
        case .nothing:
            limits.sourceIsEmpty()
            return .nothing
        case .end:
            sourceGoesOn()
            didSupply(isLast: true)
            return .end
        case .failed: return .failed
        }
    }

    /// A part of the request's body.
    enum BodyPart {
        /// Bytes in their own memory.
        case bytes(Data, isLast: Bool)
        /// The number of bytes that were stored in the given memory.
        case stored(Int, isLast: Bool)
        case nothing
        case end
        case failed
    }

    /// Returns the next bytes of the request's body, without a copy if they are in memory already.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes in memory of their own.
    ///   - room: Returns the memory for bytes that are not in memory yet.
    func supplyPart(upTo limit: Int, room: () -> UnsafeMutableRawBufferPointer) -> BodyPart {
        if upload == nil, let requestBody, bodyPosition < requestBody.count, head.status < 300 {
            let start = requestBody.startIndex + bodyPosition
            let count = min(limit, requestBody.count - bodyPosition)
            bodyPosition += count
            let isLast = bodyPosition == requestBody.count
            if isLast { isRequestWhole = true }
            return .bytes(requestBody[start..<(start + count)], isLast: isLast)
        }
        if head.status < 300, let (chunk, isLast) = upload?.takeChunk(upTo: limit) {
            isUploadBegun = true
            suppliedCount += chunk.count
            sourceGoesOn()
            didSupply(isLast: isLast)
            return .bytes(chunk, isLast: isLast)
        }
        return switch supplyBody(room()) {
        case .bytes(let count, let isLast): .stored(count, isLast: isLast)
        case .nothing: .nothing
        case .end: .end
        case .failed: .failed
        }
    }

    private func supplyCollected(_ room: UnsafeMutableRawBufferPointer) -> BodySupply {
        guard let requestBody, bodyPosition < requestBody.count else {
            isRequestWhole = true
            return .end
        }
        let count = min(room.count, requestBody.count - bodyPosition)
        let start = requestBody.startIndex + bodyPosition
        let part = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        requestBody.copyBytes(to: part, from: start..<(start + count))
        bodyPosition += count
        let isLast = bodyPosition == requestBody.count
        if isLast { isRequestWhole = true }
        return .bytes(count, isLast: isLast)
    }

    private func didSupply(isLast: Bool) {
        if isLast { isRequestWhole = true }
        if limits.stage == .sending { enter(isLast ? .firstByte : .sending) }
    }

    /// Restarts the clock of the phase if the source has bytes again, also if the connection does not take them.
    func checkSource() {
        if limits.isSourceEmpty, upload?.isAwaited == false { sourceGoesOn() }
    }

    fileprivate func sourceGoesOn() {
        limits.sourceGoesOn(now: turn.now)
        turn.earliest = min(turn.earliest, limits.deadline)
    }

    /// Returns whether bytes of the request were sent since the last call, while its body is read and sent.
    func hasUploaded() -> Bool {
        guard upload != nil, let connection else { return false }
        let isAccepted = connection.acceptedCount != acceptedAtCheck
        let isSupplied = suppliedCount != suppliedAtCheck
        let wasWaiting = isWaitingAtCheck
        acceptedAtCheck = connection.acceptedCount
        suppliedAtCheck = suppliedCount
        isWaitingAtCheck = !connection.isDrained
        guard connection.isHTTP2 else { return isAccepted }
        // What the system has accepted may be of other calls, or acknowledge frames of the peer. If output of the only call
        // waited, it was of the call.
        return isSupplied || (isAccepted && wasWaiting && !connection.isShared)
    }
}
