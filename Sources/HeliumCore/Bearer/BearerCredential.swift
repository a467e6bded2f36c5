public import HeliumEssentials

/// A bearer token (RFC 6750) with what is known about it.
///
/// Its descriptions show neither the token nor the refresh token.
public struct BearerCredential: Hashable, Sendable {
    /// What goes out as `Authorization: Bearer TOKEN`.
    public var token: Secret

    /// When the token stops being good, by this machine's clock; `nil`: unknown, so it is used until a server refuses it.
    public var expiry: Date?

    /// What the next refresh needs: for the refreshing closure, never sent by the authorizer.
    public var refreshToken: Secret?

    /// Which of the authorizer's credentials this is, counted from 1; 0 before an authorizer accepted it.
    public internal(set) var version = 0

    /// A credential.
    ///
    /// - Parameters:
    ///   - token: The access token.
    ///   - expiry: When it stops being good. Default: unknown.
    ///   - refreshToken: What the next refresh needs. Default: `nil`, which after a refresh keeps the one there was
    ///     (RFC 6749 section 6).
    public init(token: Secret, expiry: Date? = nil, refreshToken: Secret? = nil) {
        self.token = token
        self.expiry = expiry
        self.refreshToken = refreshToken
    }
}

extension BearerCredential: CustomStringConvertible {
    /// Version and expiry.
    public var description: String {
        "BearerCredential(version \(version)\(expiry.map { ", good until \(RFC3339.string(from: $0))" } ?? ""))"
    }
}
