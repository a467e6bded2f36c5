package import HeliumCore

/// The reason why a response can't be accepted.
package enum ResponseFault: Error, Hashable {
    /// The response has more of something than the limits allow.
    case ceiling(Ceiling, limit: Int)
    /// The response is not valid HTTP. The text describes the error.
    case malformed(String)
    case outOfMemory
}

extension ResponseFault {
    /// The failure as kind, message and ceiling.
    package var failure: (kind: FailureKind, message: String, ceiling: Ceiling?) {
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
        }
    }
}
