/// The reason for which a key is rejected (Docs/Protocols/Middleware.md §1.5, steps 4 to 12, and §1.7).
struct KeyFailure: Error, Hashable, Sendable {
    let status: Int
    let code: String
    let message: String

    static let invalid = Self(status: 401, code: "KeyInvalid", message: "Key invalid, access denied")
    static let expired = Self(status: 401, code: "KeyExpired", message: "Key expired, access denied")
    static let deviceUnknown = Self(status: 401, code: "DeviceIdInvalid", message: "Device id invalid, access denied")
    static let otherGroup = Self(
        status: 403,
        code: "KeyInvalidForGroup",
        message: "Key is not valid for this group, access denied"
    )
    static let disabled = Self(status: 403, code: "TemporaryDisabled", message: "Access is temporarily disabled")
    static let address = Self(status: 403, code: "IPNotAllowed", message: "Access is not allowed from this address")
    static let rate = Self(status: 429, code: "RateLimitExceededForKey", message: "Rate limit of this key is exceeded")
}
