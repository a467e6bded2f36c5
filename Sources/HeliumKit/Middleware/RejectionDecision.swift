internal import HeliumCore

/// The decision about a rejected key, without I/O (Docs/Protocols/Middleware.md §4).
enum RejectionDecision: Hashable {
    /// Return the response to the caller.
    case accept
    /// Accept the server's clock, then send the request again.
    case correctClock
    /// Drop the rejected token, register, then send the request again.
    case replaceToken
    /// Another call has replaced the token in the meantime. Send the request again with the new one.
    case useNewToken

    /// The facts that are known when a 401 arrives.
    struct Facts {
        /// The codes of all errors in the response, in any order.
        var codes: Set<ByteText>
        /// Whether the response contains the server's time.
        var hasServerTime: Bool
        /// Whether the rejected token is still the current one.
        var isTokenCurrent: Bool
        /// Whether the token was issued to this process or accepted by the server in it. Then the server knows the
        /// token, and `KeyInvalid` indicates a wrong secret or URL, which another device would not change.
        var isTokenConfirmed: Bool
        /// The reasons for which this call has been repeated already.
        var reasons: [RetryReason]

        /// Whether this call may still get another token. It gets one, and another one if the first came from the store:
        /// another process has left it there, and the server may not know it any more either. If another call has
        /// replaced that one already, this call uses its successor.
        fileprivate var mayReplaceToken: Bool {
            switch reasons.count(where: { $0 == .credentialReplaced }) {
            case 0: true
            case 1: !isTokenCurrent || !isTokenConfirmed
            default: false
            }
        }
    }

    init(_ facts: Facts) {
        if facts.codes.contains("KeyExpired") {
            self = facts.hasServerTime && !facts.reasons.contains(.clockCorrected) ? .correctClock : .accept
            return
        }
        let isTokenRefused =
            facts.codes.contains("DeviceIdInvalid") || (facts.codes.contains("KeyInvalid") && !facts.isTokenConfirmed)
        if !facts.mayReplaceToken {
            self = .accept
        } else if !facts.isTokenCurrent, !facts.codes.isDisjoint(with: ["DeviceIdInvalid", "KeyInvalid"]) {
            self = .useNewToken
        } else {
            self = isTokenRefused ? .replaceToken : .accept
        }
    }
}
