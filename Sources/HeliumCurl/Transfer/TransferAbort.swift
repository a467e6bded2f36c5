import HeliumCore
import HeliumWire

/// The reason why a call ended without a complete response.
enum TransferAbort {
    case cancelled
    case clientClosed
    case timedOut(TransferPhase)
    /// The response can't be accepted.
    case response(ResponseFault)
    /// The request's own body could not be read.
    case requestBody
    /// The connection, or the stream, ended before the response was complete. The text describes the end.
    case lost(String)
    /// The connection could not be made.
    case connect(TransportFailure)
}

extension TransferAbort {
    static func ceiling(_ ceiling: Ceiling, limit: Int) -> Self { .response(.ceiling(ceiling, limit: limit)) }

    static func malformed(_ what: String) -> Self { .response(.malformed(what)) }

    static let outOfMemory = Self.response(.outOfMemory)

    /// Whether the caller has cancelled the call.
    var isCancellation: Bool { if case .cancelled = self { true } else { false } }

    /// The failure of a response that is incomplete or complete, as kind, message and ceiling; `nil` if the response is
    /// not the cause.
    var responseFailure: (kind: FailureKind, message: String, ceiling: Ceiling?)? {
        if case .response(let fault) = self { fault.failure } else { nil }
    }
}
