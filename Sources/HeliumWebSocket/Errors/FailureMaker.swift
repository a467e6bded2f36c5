internal import Foundation
internal import HTTPTypes
internal import HeliumCore

/// Creates the errors of one connection. They contain its URL but no secrets.
struct FailureMaker: Sendable {
    private let request: RequestSummary
    private let secrets: [String]
    private let redactor: Redactor

    /// Creates a failure maker.
    ///
    /// - Parameters:
    ///   - url: The connection's URL without secrets.
    ///   - secrets: The texts to mask in all errors.
    init(url: String, secrets: [String]) {
        request = RequestSummary(method: .get, url: url)
        self.secrets = secrets
        redactor = Redactor(secrets: secrets)
    }

    func error(
        _ kind: FailureKind,
        _ delivery: DeliveryState = .notSent,
        _ message: String,
        underlying: (any Error)? = nil
    ) -> HeliumError {
        HeliumError(
            kind,
            request: request,
            delivery: delivery,
            message: redactor.redact(message),
            underlying: underlying
        )
    }

    /// Returns a head whose description masks the secrets, which a peer may repeat.
    func masking(_ head: ResponseHead) -> ResponseHead {
        var head = head
        head.secrets = { [secrets] in secrets }
        return head
    }

    func timeout(_ phase: TransferPhase, _ delivery: DeliveryState, after limit: Duration) -> HeliumError {
        var error = error(.timedOut, delivery, "\(phase) took longer than \(limit)")
        error[fact: \.phase] = phase
        return error
    }

    func error(_ fault: ConnectionFault) -> HeliumError {
        var error = error(fault.kind, .answered, fault.message)
        error[fact: \.ceiling] = fault.ceiling
        error[fact: \.code] = Int(fault.code.rawValue)
        return error
    }

    /// Creates the error of a peer that closed with a code of failure.
    func error(_ closure: WebSocketClosure) -> HeliumError {
        let reason = closure.reason.isEmpty ? "" : ": \(closure.reason)"
        var error = error(.closedByPeer, .answered, "the peer closed with code \(closure.code)\(reason)")
        error[fact: \.code] = Int(closure.code.rawValue)
        return error
    }

    /// Creates the error of a response of the server that rejects the request.
    func refusal(_ answer: RawHTTPResponse) -> HeliumError {
        let body = Data(answer.body)
        var error = error(.unacceptableStatus, .answered, "the server responded with status \(answer.head.status)")
        error[fact: \.head] = masking(answer.head)
        error[fact: \.body] = body
        error[fact: \.bodyExcerpt] = String(redactor.redact(String(decoding: body, as: UTF8.self)).prefix(1024))
        return error
    }
}
