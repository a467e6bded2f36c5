public import HeliumEssentials

/// A bearer token (RFC 6750) with its expiry and refresh token.
///
/// Its descriptions show neither the token nor the refresh token.
public struct BearerCredential: Hashable, Sendable {
    /// The token, which is sent as `Authorization: Bearer TOKEN`.
    public var token: Secret

    /// The time at which the token expires, by this machine's clock. `nil` means unknown: the token is used until a
    /// server rejects it.
    public var expiry: Date?

    /// The refresh token. It is passed to the refresh closure and never sent by the authorizer.
    public var refreshToken: Secret?

    /// The number of this credential among the authorizer's credentials, counted from 1; 0 before an authorizer has
    /// accepted it.
    package internal(set) var version = 0

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - token: The access token.
    ///   - expiry: The time at which the token expires. Default: unknown.
    ///   - refreshToken: The token for the next refresh. Default: `nil`. After a refresh, `nil` keeps the previous
    ///     refresh token (RFC 6749 §6).
    public init(token: Secret, expiry: Date? = nil, refreshToken: Secret? = nil) {
        self.token = token
        self.expiry = expiry
        self.refreshToken = refreshToken
    }
}

extension BearerCredential: CustomStringConvertible {
    /// The version and the expiry.
    public var description: String {
        "BearerCredential(version \(version)\(expiry.map { ", valid until \(RFC3339.string(from: $0))" } ?? ""))"
    }
}
