import CLibcurl
import HeliumCore
import HeliumEssentials
import HeliumWire

// The outcome of a transfer.
extension TransferSlot {
    /// The delivery state of the request.
    var delivery: DeliveryState {
        if head.hasAnswered { return .answered }
        return sendCount == 0 ? .notSent : .maybeSent
    }

    /// Returns the response with the collected body. After a failure, the body is the part that was received.
    func takeResponse() -> TransportResponse {
        TransportResponse(head: responseHead, body: .collected(body.takeReusing()), timings: timings)
    }

    /// The head of the response, for a stream.
    var streamHead: StreamSource.Head { .arrived(responseHead, timings) }

    private var responseHead: ResponseHead {
        ResponseHead(status: head.status, version: head.version, section: head.section)
    }

    /// The durations of the transfer's phases.
    var timings: TransferTimings {
        var timings = TransferTimings()
        guard limits.stage != .queue || sendCount > 0 else { return timings }
        var connections = 0
        helium_easy_get_long(easy, CURLINFO_NUM_CONNECTS, &connections)
        timings.isConnectionReused = sendCount > 0 && connections == 0
        timings.queue = limits.queued.map { .nanoseconds($0) }
        let shift = queueShift
        if !timings.isConnectionReused {
            timings.nameLookup = duration(CURLINFO_NAMELOOKUP_TIME_T).map { $0 + shift }
            timings.connect = duration(CURLINFO_CONNECT_TIME_T).map { $0 + shift }
            timings.tlsHandshake = duration(CURLINFO_APPCONNECT_TIME_T).map { $0 + shift }
        }
        // libcurl counts the end of a connection as a first byte.
        if head.hasAnswered { timings.firstByte = duration(CURLINFO_STARTTRANSFER_TIME_T).map { $0 + shift } }
        timings.total = duration(CURLINFO_TOTAL_TIME_T).map { max($0, timings.firstByte ?? .zero) }
        return timings
    }

    /// The offset to add to libcurl's times so that they count from the start. Some versions of libcurl, 7.88 among
    /// them, count all times but the total from the end of the wait for a connection, others count all from the start.
    /// The time at which the request could be sent, which the transport measures itself, shows which applies.
    private var queueShift: Duration {
        guard let queued = limits.queued.map({ Duration.nanoseconds($0) }), queued > .zero else { return .zero }
        let isShort =
            if let ready = limits.ready.map({ Duration.nanoseconds($0) }),
                let counted = duration(CURLINFO_PRETRANSFER_TIME_T)
            {
                ready - counted > queued / 2
            } else {
                duration(CURLINFO_NAMELOOKUP_TIME_T).map { $0 < queued } ?? false
            }
        return isShort ? queued : .zero
    }

    private func duration(_ info: CURLINFO) -> Duration? {
        var microseconds: curl_off_t = 0
        helium_easy_get_offset(easy, info, &microseconds)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Whether the response is complete, so that there is no ``failure``.
    var isComplete: Bool { abort == nil && code == CURLE_OK && head.isComplete }

    /// The failure, or `nil` after a complete response.
    var failure: TransportFailure? {
        if isComplete { return nil }
        if let abort { return failure(for: abort) }
        let (kind, message) = verdict
        var failure = makeFailure(kind, message)
        if kind == .timedOut { failure.phase = limits.phase }
        if kind == .ceilingExceeded { failure.ceiling = .headerBytes }
        return failure
    }

    private func makeFailure(
        _ kind: FailureKind,
        _ message: String,
        underlying: (any Error)? = nil
    ) -> TransportFailure {
        TransportFailure(
            kind,
            delivery: delivery,
            message: message,
            code: code == CURLE_OK ? nil : Int(code.rawValue),
            timings: timings,
            underlying: underlying
        )
    }

    private func failure(for abort: TransferAbort) -> TransportFailure {
        switch abort {
        case .cancelled, .requestBody:
            // A body that can't be read cancels its transfer.
            if let failure = upload?.failure {
                return makeFailure(failure.kind, failure.message, underlying: failure.underlying)
            }
            return makeFailure(.cancelled, "the call was cancelled")
        case .clientClosed:
            return makeFailure(.clientClosed, "the client was closed")
        case .timedOut(let phase):
            var failure = makeFailure(.timedOut, "phase \(phase) timed out")
            failure.phase = phase
            return failure
        case .response(let fault):
            let (kind, message, ceiling) = fault.failure
            var failure = makeFailure(kind, message)
            failure.ceiling = ceiling
            return failure
        case .resend:
            var failure = makeFailure(.connectionLost, "the reused connection ended before the response")
            // libcurl counts the new connection that it was about to use. It does so only after a reused one.
            failure.timings.isConnectionReused = true
            return failure
        }
    }

    /// The failure kind and message for libcurl's code.
    private var verdict: (FailureKind, String) {
        if isAddressRefused, openedSocket == nil {
            return (.connectionFailed, "the host has no address to which connections are allowed")
        }
        let reason = String(cString: curl_easy_strerror(code))
        if let verdict = ConnectVerdict.of(code, systemError: systemError, detail: detail) { return verdict }
        switch code {
        case CURLE_OK:
            // libcurl accepts a head that ends where the connection does.
            return (.connectionLost, "the connection ended before the header section was complete")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            if sendCount == 0 { return (.connectionFailed, "could not connect: \(systemReason ?? reason)") }
            // A broken chunk has the same code as a broken connection.
            if let detail, detail.contains("chunk") {
                return (.malformedResponse, "the chunked coding of the body is invalid")
            }
            return (.connectionLost, "the connection ended before the response was complete")
        case CURLE_SEND_FAIL_REWIND:
            // libcurl tries to resend the body and can't, because it has no means to rewind it.
            return (.connectionLost, "the reused connection ended before the response")
        case CURLE_PARTIAL_FILE:
            return (.connectionLost, "the connection ended before the body was complete")
        case CURLE_HTTP2_STREAM:
            return (.connectionLost, "the server ended the stream before the response was complete")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
            if sendCount == 0 { return (.transportFailed, reason) }
            return (.malformedResponse, "the response is not valid HTTP")
        case CURLE_HTTP2:
            return (.malformedResponse, "the response violates the framing of HTTP/2")
        case CURLE_OPERATION_TIMEDOUT:
            return (.timedOut, "phase \(limits.phase) timed out")
        case CURLE_OUT_OF_MEMORY where sendCount > 0 && !head.isComplete, CURLcode(rawValue: 100):
            // libcurl's own limit on the length of a single line.
            return (.ceilingExceeded, "a header line is longer than libcurl allows")
        default:
            return (.transportFailed, reason)
        }
    }

    private var detail: String? {
        let text = String(cString: errorText)
        return text.isEmpty ? nil : text
    }

    private var systemError: Int32 {
        var error = 0
        helium_easy_get_long(easy, CURLINFO_OS_ERRNO, &error)
        return Int32(truncatingIfNeeded: error)
    }

    private var systemReason: String? { systemError == 0 ? nil : String(cString: strerror(systemError)) }
}
