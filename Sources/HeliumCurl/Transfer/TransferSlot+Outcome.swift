import HeliumCore
import HeliumEssentials
import HeliumWire

// The outcome of a transfer.
extension TransferSlot {
    /// The delivery state of the request.
    var delivery: DeliveryState { DeliveryRule.delivery(isUnprocessed: !hasBegun || isUnsent, readPart) }

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
        guard limits.stage != .queue || hasBegun else { return timings }
        timings.isConnectionReused = hasBegun && !isOpener
        timings.queue = limits.queued.map { .nanoseconds($0) }
        if isOpener {
            timings.nameLookup = connectTimings.nameLookup
            timings.connect = connectTimings.connect
            timings.tlsHandshake = connectTimings.tlsHandshake
        }
        if firstByteTime > 0 { timings.firstByte = .nanoseconds(limits.elapsed(at: firstByteTime)) }
        timings.total = .nanoseconds(limits.elapsed(at: endTime > 0 ? endTime : turn.now))
        return timings
    }

    /// Takes the times of the connection over, which was begun for this call or before it.
    func noteConnect(_ connection: HTTPConnection) {
        let shift = limits.difference(to: connection.startTime)
        let timings = connection.timings
        connectTimings.nameLookup = timings.nameLookup.map { max($0 + shift, .zero) }
        connectTimings.connect = timings.connect.map { max($0 + shift, .zero) }
        connectTimings.tlsHandshake = timings.tlsHandshake.map { max($0 + shift, .zero) }
    }

    /// The part of the response that was read.
    var readPart: DeliveryRule.Read {
        if head.isComplete || head.status >= 200 { return .final }
        return head.hasAnswered ? .interim : firstByteTime > 0 ? .bytes : .nothing
    }

    /// Whether the response is complete, so that there is no ``failure``.
    var isComplete: Bool { abort == nil && head.isComplete }

    /// The failure, or `nil` after a complete response.
    var failure: TransportFailure? {
        guard let abort else { return isComplete ? nil : failure(.connectionLost, "the transfer has not ended") }
        switch abort {
        case .cancelled, .requestBody:
            // A body that can't be read cancels its transfer.
            if let failure = upload?.failure {
                return self.failure(failure.kind, failure.message, underlying: failure.underlying)
            }
            return failure(.cancelled, "the call was cancelled")
        case .clientClosed: return failure(.clientClosed, "the client was closed")
        case .timedOut(let phase):
            var failure = failure(.timedOut, "phase \(phase) timed out")
            failure.phase = phase
            return failure
        case .response(let fault):
            let (kind, message, ceiling) = fault.failure
            var failure = failure(kind, message)
            failure.ceiling = ceiling
            return failure
        case .lost(let message): return failure(.connectionLost, message)
        case .connect(let cause):
            var failure = failure(cause.kind, cause.message)
            failure.code = cause.code
            failure.phase = cause.phase
            failure.response = cause.response
            return failure
        }
    }

    private func failure(_ kind: FailureKind, _ message: String, underlying: (any Error)? = nil) -> TransportFailure {
        var failure = TransportFailure(
            kind,
            delivery: delivery,
            message: message,
            timings: timings,
            underlying: underlying
        )
        failure.repetition = repetition
        return failure
    }
}
