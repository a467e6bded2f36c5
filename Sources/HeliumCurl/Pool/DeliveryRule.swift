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

    /// - Parameter isBodyLost: Whether the body was begun and can't be sent again.
    init(written: Written, over version: Version, read: Read, end: End, isBodyLost: Bool) {
        delivery = Self.delivery(written, version, read, end)
        let resend = Self.resend(written, version, read, end)
        self.resend = isBodyLost ? .no : resend
    }

    private static func delivery(_ written: Written, _ version: Version, _ read: Read, _ end: End) -> DeliveryState {
        // Bytes that were read before anything was written belong to no request of this call.
        if written == .nothing { return .notSent }
        if read != .nothing { return .answered }
        return isUnprocessed(version, end) ? .notSent : .maybeSent
    }

    private static func resend(_ written: Written, _ version: Version, _ read: Read, _ end: End) -> Resend {
        switch end {
        case .cancelled, .timedOut, .closed: return .no
        case .http1Required where version == .http2 && (written == .nothing || read == .nothing): return .overHTTP1
        default: break
        }
        if written == .nothing { return .again }
        return read == .nothing && isUnprocessed(version, end) ? .again : .no
    }

    /// Whether the peer has said that it did not process the request.
    private static func isUnprocessed(_ version: Version, _ end: End) -> Bool {
        switch end {
        case .streamRefused, .aboveGoAway, .http1Required: version == .http2
        case .connectionLost, .malformed, .cancelled, .timedOut, .closed: false
        }
    }
}
