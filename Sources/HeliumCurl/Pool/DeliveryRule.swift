import HeliumCore

/// Decides what the end of a call without a usable response means: how far its request got, and whether it is sent
/// again at once, free of charge and of the retry policy.
struct DeliveryRule: Hashable, Sendable {
    let delivery: DeliveryState
    let resend: Resend
}

extension DeliveryRule {
    /// The part of the request that was passed to the connection.
    enum Written: CaseIterable, Sendable { case nothing, part, whole }

    /// The part of the response that was read.
    enum Read: CaseIterable, Sendable {
        case nothing
        /// Some bytes, and no complete head.
        case bytes
        /// One or more interim responses (1xx).
        case interim
        /// The head of the final response.
        case final
    }

    enum Version: CaseIterable, Sendable { case http1, http2 }

    /// The reason why a call ended.
    enum End: CaseIterable, Sendable {
        /// The connection ended, in order or not.
        case connectionLost
        /// `REFUSED_STREAM` (RFC 9113 §8.7).
        case streamRefused
        /// A stream above the last one of `GOAWAY` (RFC 9113 §6.8).
        case aboveGoAway
        /// `HTTP_1_1_REQUIRED` (RFC 9113 §7).
        case http1Required
        /// Bytes that are no response.
        case malformed
        case cancelled
        case timedOut
        /// The transport was shut down.
        case closed
    }

    /// Whether and how a call is sent again at once.
    enum Resend: CaseIterable, Sendable {
        case no
        case again
        case overHTTP1
    }

    /// - Parameter isPriorKnowledge: Whether the caller wants HTTP/2 and nothing else.
    init(written: Written, over version: Version, read: Read, end: End, isPriorKnowledge: Bool = false) {
        let isUnprocessed = written == .nothing || (read == .nothing && Self.isUnprocessed(version, end))
        delivery = Self.delivery(isUnprocessed: isUnprocessed, read)
        let needsOtherProtocol = end == .http1Required && isPriorKnowledge
        resend = isUnprocessed && read == .nothing && !needsOtherProtocol ? Self.resend(version, end) : .no
    }

    /// The delivery state of a request.
    ///
    /// - Parameter isUnprocessed: Whether nothing of it was written, or the peer has said that it did not process it.
    static func delivery(isUnprocessed: Bool, _ read: Read) -> DeliveryState {
        switch read {
        case .interim, .final: .answered
        // Bytes that came before anything was written belong to no request of this call.
        case .nothing, .bytes: isUnprocessed ? .notSent : .maybeSent
        }
    }

    /// The way in which a call is sent again that was not processed.
    private static func resend(_ version: Version, _ end: End) -> Resend {
        switch end {
        case .cancelled, .timedOut, .closed: .no
        case .http1Required where version == .http2: .overHTTP1
        case .connectionLost, .streamRefused, .aboveGoAway, .http1Required, .malformed: .again
        }
    }

    /// Whether the peer has said that it did not process the request.
    private static func isUnprocessed(_ version: Version, _ end: End) -> Bool {
        switch end {
        case .streamRefused, .aboveGoAway, .http1Required: version == .http2
        case .connectionLost, .malformed, .cancelled, .timedOut, .closed: false
        }
    }
}
