/// The reason why an HTTP/2 connection ended that the peer did not end.
package enum HTTP2Fault: Error, Hashable, Sendable {
    /// The peer violated the protocol.
    case framing
    /// The peer sent more frames than its responses justify, or more control frames than could be acknowledged.
    case flood
    /// A compressed header section is so large that it is not worth decoding.
    case headerSection
    case outOfMemory
}

extension HTTP2Fault {
    /// The fault as a fault of a response.
    package var responseFault: ResponseFault {
        switch self {
        case .framing: .malformed("the response violates the framing of HTTP/2")
        case .flood: .malformed("the server floods the HTTP/2 connection with frames that carry no response")
        case .headerSection: .malformed("the header section is too large for the HTTP/2 connection")
        case .outOfMemory: .outOfMemory
        }
    }

    /// The text for an error.
    package var message: String { responseFault.failure.message }
}
