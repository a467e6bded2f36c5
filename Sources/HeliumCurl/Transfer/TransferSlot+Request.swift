import HTTPTypes
import HeliumCore
import HeliumEssentials
import HeliumWire

// The caller's part: prepares the request.
extension TransferSlot {
    /// Prepares the slot to send `request`.
    func prepare(_ request: TransportRequest) throws(TransportFailure) {
        abort = nil
        firstByteTime = 0
        endTime = 0
        isOpener = false
        repetitions = Repetitions()
        needsHTTP1 = false
        repetition = nil
        isUploadBegun = false
        ratioLimit = request.limits.decompressionRatio
        isHeadDelivered = false
        head.reset(limits: request.limits)
        limits.reset(request.timeouts)
        restart()
        requestBody = request.upload == nil ? request.sentBody : nil
        let length = requestBody.map { Int64($0.count) }
        let body: RequestHead.Body =
            if let upload = request.upload {
                upload.length.map { .length($0) } ?? .unknown
            } else {
                length.map { .length($0) } ?? .none
            }
        if request.method == .head, body != .none { throw refusal("a HEAD request can't have a body") }
        let origin = request.url.origin
        self.origin = origin
        let head = RequestHead(
            method: request.method.rawValue,
            scheme: origin.isSecure ? "https" : "http",
            authority: origin.hostHeader,
            target: request.url.target,
            fields: request.fields,
            acceptEncoding: request.acceptsContentCodings ? TransportRequest.contentCodings : "identity",
            body: body
        )
        if let fault = head.fault { throw refusal(fault) }
        self.request = head
        version = request.version
        connectLimit = request.timeouts.connect
        switch request.responseBody {
        case .collect(let limit): bodyLimit = limit
        case .stream: bodyLimit = .max
        }
    }

    /// Prepares the slot to be sent on a connection, for the first time or again.
    func restart() {
        connection = nil
        streamID = 0
        hasBegun = false
        isRequestWhole = false
        isAwaitingContinue = false
        isUnsent = false
        bodyPosition = 0
        suppliedCount = 0
        suppliedAtCheck = 0
        isWaitingAtCheck = false
        unconsumed = 0
        connectTimings = TransferTimings()
    }

    private func refusal(_ message: String) -> TransportFailure {
        TransportFailure(.invalidRequest, delivery: .notSent, message: message)
    }
}
