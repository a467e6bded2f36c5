internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import NIOCore

/// Makes the errors of one connection: each tells its URL, none a secret.
struct FailureMaker: Sendable {
    private let request: RequestSummary
    private let redactor: Redactor

    /// - Parameters:
    ///   - url: The connection's URL as people may see it.
    ///   - secrets: What must not be seen, whoever says it.
    init(url: String, secrets: [String]) {
        request = RequestSummary(method: .get, url: url)
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

    /// The connection broke under way.
    func lost(_ error: any Error) -> HeliumError {
        (error as? HeliumError) ?? self.error(.connectionLost, .answered, "the connection broke", underlying: error)
    }

    /// The peer said goodbye, and not because all is well.
    func error(_ closure: WebSocketClosure) -> HeliumError {
        let reason = closure.reason.isEmpty ? "" : ": \(closure.reason)"
        var error = error(.closedByPeer, .answered, "the peer closed with code \(closure.code)\(reason)")
        error[fact: \.code] = Int(closure.code.rawValue)
        return error
    }

    /// An answer that refuses what was asked for.
    func refusal(by whom: String, _ answer: HTTPAnswer) -> HeliumError {
        let body = Data(answer.body.readableBytesView)
        var error = error(.unacceptableStatus, .answered, "\(whom) answered with status \(answer.head.status)")
        error[fact: \.head] = answer.head
        error[fact: \.body] = body
        error[fact: \.bodyExcerpt] = String(redactor.redact(String(decoding: body, as: UTF8.self)).prefix(1024))
        return error
    }
}
