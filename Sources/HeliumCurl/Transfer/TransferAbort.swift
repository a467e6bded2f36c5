import HeliumCore
import HeliumWire

/// The reason why the transport, not libcurl, ended a transfer.
enum TransferAbort: Equatable {
    case cancelled
    case clientClosed
    case timedOut(TransferPhase)
    /// libcurl was about to send the request a second time.
    case resend
    /// The response can't be accepted, for a reason that libcurl does not detect.
    case response(ResponseFault)
    /// The request's own body could not be read.
    case requestBody
}

extension TransferAbort {
    static func ceiling(_ ceiling: Ceiling, limit: Int) -> Self { .response(.ceiling(ceiling, limit: limit)) }

    static func malformed(_ what: String) -> Self { .response(.malformed(what)) }

    static let outOfMemory = Self.response(.outOfMemory)

    /// The failure of a response that is incomplete or complete, as kind, message and ceiling; `nil` if the response is
    /// not the cause.
    var responseFailure: (kind: FailureKind, message: String, ceiling: Ceiling?)? {
        if case .response(let fault) = self { fault.failure } else { nil }
    }
}
