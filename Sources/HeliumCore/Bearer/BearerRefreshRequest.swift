/// The argument of a refresh closure.
public struct BearerRefreshRequest: Hashable, Sendable {
    /// The credential to replace; `nil` before the first one.
    public let current: BearerCredential?

    /// The reason for the refresh.
    public let reason: BearerRefreshReason

    /// Creates a request, for tests of refresh closures.
    public init(current: BearerCredential?, reason: BearerRefreshReason) {
        self.current = current
        self.reason = reason
    }
}

/// The reason why a bearer credential is refreshed. The list of names may grow. They are suitable as labels of metrics.
public struct BearerRefreshReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason's name.
    public let rawValue: String

    /// Creates a reason from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no credential yet.
    public static let missing = Self(rawValue: "missing")
    /// The credential is still valid but expires soon. Requests continue to use it during the refresh.
    public static let expiring = Self(rawValue: "expiring")
    /// The credential has expired.
    public static let expired = Self(rawValue: "expired")
    /// A server rejected the credential.
    public static let rejected = Self(rawValue: "rejected")

    /// The reason's name.
    public var description: String { rawValue }
}

/// A permanent failure of a refresh. A refresh closure throws it so that it is not called again. Any other error is
/// treated as temporary.
public struct BearerRefreshFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the failure. It must not contain a secret.
    public let message: String

    /// Creates a failure with a message.
    public init(_ message: String) { self.message = message }

    /// The authorization server rejected the refresh token, for example with `invalid_grant` (RFC 6749 §5.2). The user
    /// has to sign in again.
    public static let rejected = Self("the authorization server rejected the request")

    /// The message.
    public var description: String { message }
}
