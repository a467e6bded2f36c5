/// What a refreshing closure is asked for.
public struct BearerRefreshRequest: Hashable, Sendable {
    /// The credential to replace; `nil` if there is none yet.
    public let current: BearerCredential?

    /// Why it is to be replaced.
    public let reason: BearerRefreshReason

    /// A request: for tests of refreshing closures.
    public init(current: BearerCredential?, reason: BearerRefreshReason) {
        self.current = current
        self.reason = reason
    }
}

/// Why a bearer credential is refreshed, as a name from a list that may grow: fit to be a metric's label.
public struct BearerRefreshReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason's name.
    public let rawValue: String

    /// A reason by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no credential yet.
    public static let missing = Self(rawValue: "missing")
    /// It is still good, but not for long: requests go on with it meanwhile.
    public static let expiring = Self(rawValue: "expiring")
    /// Its time is over.
    public static let expired = Self(rawValue: "expired")
    /// A server refused it.
    public static let rejected = Self(rawValue: "rejected")

    /// The reason's name.
    public var description: String { rawValue }
}

/// A refresh failed for good. A refreshing closure throws it so that it is not asked again; any other error counts as
/// passing.
public struct BearerRefreshFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, for people; no secret belongs in here.
    public let message: String

    /// A failure for a reason of yours.
    public init(_ message: String) { self.message = message }

    /// The authorization server refused the refresh token, for example with `invalid_grant` (RFC 6749 section 5.2):
    /// someone has to sign in again.
    public static let rejected = Self("the authorization server refused it")

    /// The message.
    public var description: String { message }
}
