internal import HTTPTypes
public import HeliumCore

extension Authorizer where Self == NoAuthorizer {
    /// Requests go out as they are.
    public static var none: NoAuthorizer { NoAuthorizer() }
}

extension Authorizer where Self == FieldAuthorizer {
    /// `Authorization: Bearer TOKEN` (RFC 6750).
    ///
    /// - Throws: `invalidConfiguration` if the token can't stand in a field.
    public static func bearer(_ token: Secret) throws(HeliumError) -> FieldAuthorizer {
        try FieldAuthorizer(name: .authorization, prefix: "Bearer ", secret: token)
    }

    /// An API key in a field.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - field: The field's name. Default: `X-API-Key`.
    /// - Throws: `invalidConfiguration` if the name is none, or the key can't stand in a field.
    public static func apiKey(_ key: Secret, field: String = "X-API-Key") throws(HeliumError) -> FieldAuthorizer {
        guard let name = HTTPField.Name(field), !field.hasPrefix(":") else {
            throw HeliumError(configuration: "\"\(field)\" is no field name")
        }
        return try FieldAuthorizer(name: name, secret: key)
    }
}

extension Authorizer where Self == RefreshingBearerAuthorizer {
    /// `Authorization: Bearer TOKEN`, the token replaced before it expires or when a server refuses it: one refresh at a
    /// time for all calls.
    ///
    /// Keep the authorizer itself if you want to tell it of a sign-in (``RefreshingBearerAuthorizer/update(_:)``).
    ///
    /// - Parameters:
    ///   - initial: The credential to begin with. Default: none, so the first request waits for a refresh.
    ///   - refreshBefore: How long before its expiry a credential is replaced in the background. Default: 60 s.
    ///   - timeout: The time limit of one refresh. Default: 30 s.
    ///   - environment: Clock and random numbers. Default: those of the first client that uses the authorizer.
    ///   - refresh: Gets a new credential.
    /// - Throws: `invalidConfiguration` if the token can't stand in a field.
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
