import CLibcurl
import HeliumCore
import HeliumEssentials
import HeliumWire

// libcurl's callbacks. They are called on the loop thread while the loop owns the slot.
extension TransferSlot {
    func setCallbacks(_ context: UnsafeMutableRawPointer) {
        _ = helium_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION, onBody)
        set(CURLOPT_WRITEDATA, context)
        _ = helium_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION, onHeader)
        set(CURLOPT_HEADERDATA, context)
        _ = helium_easy_set_data_callback(easy, CURLOPT_READFUNCTION, onRoom)
        set(CURLOPT_READDATA, context)
        _ = helium_easy_set_prereq_callback(easy, onReadyToSend)
        set(CURLOPT_PREREQDATA, context)
        _ = helium_easy_set_resolver_callback(easy, onLookup)
        set(CURLOPT_RESOLVER_START_DATA, context)
        _ = helium_easy_set_open_callback(easy, onOpenSocket)
        set(CURLOPT_OPENSOCKETDATA, context)
        // A connection can outlive the slot that opened it, so its end is reported to the loop.
        _ = helium_easy_set_close_callback(easy, onCloseSocket)
        set(CURLOPT_CLOSESOCKETDATA, Unmanaged.passUnretained(worker).toOpaque())
    }

    /// Enters a stage of the transfer, or restarts it.
    func enter(_ stage: TransferLimits.Stage) {
        limits.enter(stage, now: turn.now)
        turn.earliest = min(turn.earliest, limits.deadline)
    }

    fileprivate func leaveQueue() { if limits.stage == .queue { enter(.connect) } }

    fileprivate func readyToSend(from localPort: Int32) -> Bool {
        sendCount += 1
        self.localPort = localPort
        // libcurl resends a request, a POST too, when a reused connection ends without a response. Only the caller
        // knows whether the request is safe to repeat, so the caller decides.
        guard sendCount == 1 else {
            abort = .resend
            return false
        }
        if isPriorKnowledge, case .started(.opener) = priorKnowledge { worker.didConnect(self) }
        if openedSocket == nil { worker.reuseCount &+= 1 }
        enter(upload == nil ? .firstByte : .sending)
        return true
    }

    /// Copies available bytes of the request's body to libcurl.
    fileprivate func giveBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return Int(CURL_READFUNC_ABORT) }
        switch upload.take(into: room) {
        case .bytes(let count, let isLast):
            sourceGoesOn()
            if limits.stage == .sending { enter(isLast ? .firstByte : .sending) }
            return count
        case .nothing:
            limits.sourceIsEmpty()
            return Int(CURL_READFUNC_PAUSE)
        case .end:
            sourceGoesOn()
            if limits.stage == .sending { enter(.firstByte) }
            return 0
        case .failed:
            abort = .requestBody
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private func sourceGoesOn() {
        limits.sourceGoesOn(now: turn.now)
        turn.earliest = min(turn.earliest, limits.deadline)
    }

    /// Returns whether the system has accepted bytes of the request's body since the last call.
    func hasUploaded() -> Bool {
        guard upload != nil else { return false }
        var count: curl_off_t = 0
        helium_easy_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &count)
        defer { uploadedBytes = count }
        return count != uploadedBytes
    }

    /// Returns whether the transfer may start to open a connection.
    fileprivate func mayConnect() -> Bool {
        if isPriorKnowledge, case .started(.follower) = priorKnowledge {
            // On a new connection libcurl would ask for an upgrade in HTTP/1.1. If the request was sent already, this
            // is libcurl's attempt to resend it.
            if sendCount == 0 { isRefused = true } else { abort = .resend }
            return false
        }
        leaveQueue()
        return true
    }

    /// Returns whether the transport's configuration allows connections to an address.
    fileprivate func mayReach(_ address: UnsafePointer<curl_sockaddr>) -> Bool {
        if worker.configuration.allowsLocalAddresses || PublicAddress.contains(address) { return true }
        isAddressRefused = true
        return false
    }

    /// Marks the slot to be processed at the end of this turn of the loop.
    fileprivate func touch() {
        guard !isTouched else { return }
        isTouched = true
        turn.touched.append(self)
    }

    fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        switch head.take(line) {
        // A slow head does not time out as long as its lines arrive.
        case .none: limits.enter(limits.stage, now: turn.now)
        case .interim: enter(limits.stage == .sending ? .sending : .firstByte)
        case .status:
            // After a redirect or an error, libcurl sends no more of the body.
            if head.status >= 300 { sourceGoesOn() }
            enter(.idle)
        case .complete:
            prepareBody()
            if stream != nil { touch() }
        case .fault(let fault):
            abort = .response(fault)
            return false
        }
        return true
    }

    /// Prepares for the body that the complete head announces.
    private func prepareBody() {
        let mayBeCut = verb != .head && head.endsWithConnection
        if mayBeCut, origin?.isSecure == true {
            isBodyChecked = true
            tlsEnd = TLSEnd(of: easy)
        }
        if case .known(let format) = head.framing.coding {
            let decoder = ContentDecoder(format, ratioLimit: ratioLimit, mayBeEmpty: !mayBeCut)
            if let stream {
                stream.setDecoder(decoder)
            } else {
                isBodyChecked = true
                self.decoder = consume decoder
            }
        }
    }

    /// The reason why the response is incomplete although libcurl considers it complete; `nil` if it is complete.
    var incompleteness: TransferAbort? {
        guard isBodyChecked else { return nil }
        if tlsEnd?.isOrderly == false {
            return .malformed("the TLS connection ended without close_notify, and the body has no length")
        }
        return decoder?.incompleteness ?? nil
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        let coding = head.framing.coding
        guard coding != .unknown else {
            abort = .malformed("the body has a content coding that was not requested")
            return 0
        }
        if let stream {
            guard let isTaken = stream.append(bytes, now: turn.now) else {
                abort = .outOfMemory
                return 0
            }
            touch()
            guard isTaken else {
                limits.suspend()
                return Int(CURL_WRITEFUNC_PAUSE)
            }
        } else if coding != .identity {
            if let reason = decode(bytes) {
                abort = reason
                return 0
            }
        } else {
            switch body.append(bytes, upTo: bodyLimit, announced: announcedLength) {
            case .appended: break
            case .tooLong:
                abort = .ceiling(.bodyBytes, limit: bodyLimit)
                return 0
            case .outOfMemory:
                abort = .outOfMemory
                return 0
            }
        }
        limits.enter(.idle, now: turn.now)
        return bytes.count
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
        var length: curl_off_t = -1
        helium_easy_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        return length > 0 ? min(Int(clamping: length), bodyLimit) : nil
    }
}

/// Calls `body` with the slot of a callback's context. Does not retain the slot: the loop retains it while it is
/// active.
private func withSlot<Result>(_ context: UnsafeMutableRawPointer?, else other: Result, _ body: (TransferSlot) -> Result)
    -> Result
{
    guard let context else { return other }
    return Unmanaged<TransferSlot>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
}

private let onBody: helium_data_callback = { bytes, size, count, context in
    withSlot(context, else: 0) { $0.takeBody(UnsafeRawBufferPointer(start: bytes, count: size &* count)) }
}

private let onRoom: helium_data_callback = { bytes, size, count, context in
    withSlot(context, else: Int(CURL_READFUNC_ABORT)) {
        $0.giveBody(UnsafeMutableRawBufferPointer(start: bytes, count: size &* count))
    }
}

private let onHeader: helium_data_callback = { bytes, size, count, context in
    let count = size &* count
    return withSlot(context, else: 0) {
        $0.takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }
}

private let onReadyToSend: curl_prereq_callback = { context, _, _, _, localPort in
    withSlot(context, else: CURL_PREREQFUNC_ABORT) {
        $0.readyToSend(from: localPort) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
}

private let onLookup: helium_resolver_callback = { _, _, context in
    withSlot(context, else: 0) {
        $0.mayConnect() ? 0 : 1
    }
}

private let onOpenSocket: curl_opensocket_callback = { context, _, address in
    withSlot(context, else: CURL_SOCKET_BAD) { slot in
        guard let address, slot.mayConnect(), slot.mayReach(address) else { return CURL_SOCKET_BAD }
        let new = helium_open_socket(address)
        if new != CURL_SOCKET_BAD { slot.worker.didOpen(new, for: slot) }
        return new
    }
}

private let onCloseSocket: helium_close_callback = { context, socket in
    if let context {
        Unmanaged<LoopWorker>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.willClose(socket) }
    }
    return close(socket)
}
