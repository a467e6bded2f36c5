internal import HTTPTypes
public import HeliumCore

extension Authorizer where Self == NoAuthorizer {
    /// An authorizer that sends requests unchanged.
    public static var none: NoAuthorizer { NoAuthorizer() }
}

extension Authorizer where Self == FieldAuthorizer {
    /// Creates an authorizer that sends `Authorization: Bearer TOKEN` (RFC 6750).
    ///
    /// - Throws: `invalidConfiguration` if the token is not allowed in a header field.
    public static func bearer(_ token: Secret) throws(HeliumError) -> FieldAuthorizer {
        try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: token)
    }

    /// Creates an authorizer that sends an API key in a field.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - field: The field's name. Default: `X-API-Key`.
    /// - Throws: `invalidConfiguration` if the name is invalid, or the key is not allowed in a header field.
    public static func apiKey(_ key: Secret, field: String = "X-API-Key") throws(HeliumError) -> FieldAuthorizer {
        guard let name = HTTPField.Name(field), !field.hasPrefix(":") else {
            throw HeliumError(configuration: "\"\(field)\" is not a valid field name")
        }
        return try FieldAuthorizer(name: name, secret: key)
    }
}

extension Authorizer where Self == RefreshingBearerAuthorizer {
    /// Creates an authorizer that sends `Authorization: Bearer TOKEN` and replaces the token before it expires or when
    /// a server rejects it. All calls share one refresh at a time.
    ///
    /// To set a credential after a sign-in (``RefreshingBearerAuthorizer/update(_:)``), keep a reference to the
    /// authorizer.
    ///
    /// - Parameters:
    ///   - initial: The first credential. Default: none, so the first request waits for a refresh.
    ///   - refreshBefore: The time before its expiry at which a credential is replaced in the background. Default: 60
    ///     s.
    ///   - timeout: The time limit of one refresh. Default: 30 s.
    ///   - environment: The clock and random numbers. Default: those of the first client that uses the authorizer.
    ///   - refresh: Obtains a new credential.
    /// - Throws: `invalidConfiguration` if the token is not allowed in a header field.
    public static func bearer(
        refreshing initial: BearerCredential? = nil,
        refreshBefore: Duration = .seconds(60),
        timeout: Duration = .seconds(30),
        environment: ClientEnvironment? = nil,
        refresh: @escaping RefreshingBearerAuthorizer.Refresh
    ) throws(HeliumError) -> RefreshingBearerAuthorizer {
        try RefreshingBearerAuthorizer(
            initial: initial,
            refreshBefore: refreshBefore,
            timeout: timeout,
            clock: environment?.clock,
            random: environment?.random,
            refresh: refresh
        )
    }
}
