package import HeliumCore

/// The reason why the transport, not libcurl, ended a transfer.
package enum TransferAbort: Equatable {
    case cancelled
    case clientClosed
    case timedOut(TransferPhase)
    case ceiling(Ceiling, limit: Int)
    /// libcurl was about to send the request a second time.
    case resend
    /// The response is not valid HTTP in a way that libcurl does not detect. The text describes the error.
    case malformed(String)
    /// The request's own body could not be read.
    case requestBody
    case outOfMemory
}

extension TransferAbort {
    /// The failure of a response that is incomplete or complete, as kind, message and ceiling; `nil` if the response is
    /// not the cause.
    var responseFailure: (kind: FailureKind, message: String, ceiling: Ceiling?)? {
        switch self {
        case .ceiling(let ceiling, let limit):
            let what =
                switch ceiling {
                case .bodyBytes: "the body has more than \(limit) bytes"
                case .headerBytes: "the header section has more than \(limit) bytes"
                case .decompressionRatio: "the body becomes more than \(limit) times larger when decompressed"
                default: "the header section has more than \(limit) fields"
                }
            return (.ceilingExceeded, what, ceiling)
        case .malformed(let what): return (.malformedResponse, what, nil)
        case .outOfMemory: return (.transportFailed, "not enough memory for the response", nil)
        case .cancelled, .clientClosed, .timedOut, .resend, .requestBody: return nil
        }
    }
}
