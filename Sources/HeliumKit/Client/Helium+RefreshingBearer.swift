public import HeliumCore
public import HeliumCurl
public import HeliumEssentials

// With a concrete parameter type the compiler knows that the closure of `.bearer(refreshing:)` is `@Sendable`; with
// `some Authorizer` it does not, and the call would need a type annotation.

extension Helium {
    /// Creates a client whose bearer token is refreshed.
    ///
    /// ```swift
    /// let helium = try Helium(
    ///     baseURL: url,
    ///     authorizer: .bearer(refreshing: stored) { request in
    ///         let grant = try await signIn.renew(request.current?.refreshToken)
    ///         return BearerCredential(token: Secret(grant.token), expiry: grant.expiry)
    ///     }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: The URL that every request's path is appended to.
    ///   - authorizer: The authorizer that adds and refreshes the token.
    ///   - options: The settings that have a default.
    ///   - connection: The configuration of connections.
    ///   - environment: The clock, the random source and the transport.
    /// - Throws: `invalidConfiguration`, naming the invalid value.
    public convenience init(
        baseURL: URL,
        authorizer: RefreshingBearerAuthorizer,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(HeliumError) {
        try self.init(
            baseURL: baseURL,
            opening: authorizer,
            options: options,
            connection: connection,
            environment: environment
        )
    }

    /// Calls the generic initializer, which a concrete argument would not select.
    private convenience init(
        baseURL: URL,
        opening authorizer: some Authorizer,
        options: ClientOptions,
        connection: CurlTransport.Configuration,
        environment: ClientEnvironment
    ) throws(HeliumError) {
        try self.init(
            baseURL: baseURL,
            authorizer: authorizer,
            options: options,
            connection: connection,
            environment: environment
        )
    }
}

/// Creates a client whose bearer token is refreshed, passes it to `body`, and closes it afterwards, even if `body`
/// throws.
///
/// - Throws: Any error of the client's creation or of `body`.
public func withHelium<Value: Sendable>(
    baseURL: URL,
    authorizer: RefreshingBearerAuthorizer,
    options: ClientOptions = ClientOptions(),
    _ body: (Helium) async throws -> Value
) async throws -> Value {
    try await Helium(baseURL: baseURL, authorizer: authorizer, options: options).closing(after: body)
}
