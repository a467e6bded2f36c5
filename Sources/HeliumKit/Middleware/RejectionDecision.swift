internal import HeliumCore

/// What to do about a rejected key: a decision without I/O (middleware.md section 4, column "we").
enum RejectionDecision: Hashable {
    /// The answer stands.
    case accept
    /// Take over the server's clock, then send again.
    case correctClock
    /// Drop the token that was refused, then register and send again.
    case replaceToken
    /// Another call replaced the token meanwhile: send again with the new one.
    case useNewToken

    /// What is known when a 401 arrives.
    struct Facts {
        /// The codes of all errors in the answer, whatever their order.
        var codes: Set<ByteText>
        /// Whether the answer told the server's time.
        var hasServerTime: Bool
        /// Whether the refused token is still the one in use.
        var isTokenCurrent: Bool
        /// Whether the token was issued to or accepted from this process: then the server knows it, and `KeyInvalid`
        /// means a wrong secret or URL, where another device would not help.
        var isTokenConfirmed: Bool
        /// What this call has tried already.
        var reasons: [RetryReason]
    }

    init(_ facts: Facts) {
        if facts.codes.contains("KeyExpired") {
            self = facts.hasServerTime && !facts.reasons.contains(.clockCorrected) ? .correctClock : .accept
            return
        }
        let isTokenRefused =
            facts.codes.contains("DeviceIdInvalid") || (facts.codes.contains("KeyInvalid") && !facts.isTokenConfirmed)
        if facts.reasons.contains(.credentialReplaced) {
            self = .accept
        } else if !facts.isTokenCurrent, !facts.codes.isDisjoint(with: ["DeviceIdInvalid", "KeyInvalid"]) {
            self = .useNewToken
        } else {
            self = isTokenRefused ? .replaceToken : .accept
        }
    }
}
