public import Foundation
internal import HTTPTypes
public import HeliumCore
public import HeliumCurl
public import HeliumKit

/// An object that obtains tokens for web sign-ins, for passwords and for the app itself
/// (Docs/Protocols/AppNet.md §1.3).
///
/// ```swift
/// let authenticator = try AppNetAuthenticator(clientID: "…", clientSecret: secret, dialect: .pnut)
/// let grant = try await authenticator.appToken()
/// ```
///
/// A refusal throws ``AppNetError`` of kind ``AppNetError/Kind/signInRefused``. Errors do not contain secrets,
/// passwords or codes.
public final class AppNetAuthenticator: Sendable {
    /// The client id of the app.
    public let clientID: String

    /// The service.
    public let dialect: AppNetDialect

    private let clientSecret: Secret?
    private let helium: Helium
    private let api: Helium?

    /// Creates an authenticator without performing I/O.
    ///
    /// - Parameters:
    ///   - clientID: The client id of the app.
    ///   - clientSecret: The secret of the app. The flows that need it are documented to do so.
    ///   - dialect: The service.
    ///   - tokenBaseURL: The base URL of `access_token`. The default is pnut.io's. The App.net dialect needs one.
    ///   - baseURL: The API's base URL, for ``verify(delegateToken:)``. The default is pnut.io's. That call needs one
    ///     for the App.net dialect.
    ///   - options: The options of the underlying client. All of them have defaults.
    ///   - connection: The settings for connections.
    ///   - environment: The clock, random source and transport.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration``. Its message names the invalid
    ///   setting.
    public init(
        clientID: String,
        clientSecret: Secret? = nil,
        dialect: AppNetDialect = .appNet,
        tokenBaseURL: URL? = nil,
        baseURL: URL? = nil,
        options: ClientOptions = ClientOptions(),
        connection: CurlTransport.Configuration = CurlTransport.Configuration(),
        environment: ClientEnvironment = ClientEnvironment()
    ) throws(AppNetError) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.dialect = dialect
        let tokenBaseURL = try dialect.address(tokenBaseURL, or: dialect.tokenBaseURL, "tokenBaseURL")
        var environment = environment
        // One transport serves both base URLs.
        environment.transport = environment.transport ?? CurlTransport(connection)
        do throws(HeliumError) {
            helium = try Helium(
                baseURL: tokenBaseURL,
                options: options,
                environment: environment
            )
            var options = options
            options.decoder = DialectDecoder(dialect: dialect, decoder: options.decoder)
            api = try (baseURL ?? dialect.baseURL).map { url throws(HeliumError) in
                try Helium(baseURL: url, options: options, environment: environment)
            }
        } catch {
            throw AppNetError(error, call: nil, secrets: [])
        }
    }

    /// Ends the calls in progress and closes the connections. Later calls fail.
    public func close() async {
        await api?.close()
        await helium.close()
    }
}

// MARK: Flows

extension AppNetAuthenticator {
    /// Exchanges the code of a web sign-in for a token. A code can be exchanged once.
    ///
    /// `POST oauth/access_token` with `grant_type=authorization_code`; needs the app's secret.
    ///
    /// - Parameters:
    ///   - code: The code from ``WebSignIn/code(from:)``.
    ///   - redirectURI: The redirect URI of the sign-in.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func exchange(code: Secret, redirectURI: String) async throws -> AccessGrant {
        let secret = try requiredSecret()
        return try await grant(
            [
                "client_id": clientID, "client_secret": secret.value, "code": code.value,
                "grant_type": "authorization_code", "redirect_uri": redirectURI,
            ],
            secrets: [secret, code]
        )
    }

    /// Obtains a token for a user's name and password. The service has to approve the app for this flow.
    ///
    /// `POST oauth/access_token` with `grant_type=password`.
    ///
    /// - Parameters:
    ///   - username: The user name or email address.
    ///   - password: The password, or one that was made for this app.
    ///   - passwordGrantSecret: The app's secret for this flow.
    ///   - scopes: The requested scopes.
    ///   - requiresAppPassword: Whether only a password that was made for this app is accepted.
    /// - Throws: ``AppNetError``, whose refusal may have an ``OAuthRefusal/userTitle`` and an ``OAuthRefusal/userText``
    ///   to show to the user, or `CancellationError` if the task is cancelled.
    public func signIn(
        username: String,
        password: Secret,
        passwordGrantSecret: Secret,
        scopes: [AuthScope],
        requiresAppPassword: Bool = false
    ) async throws -> AccessGrant {
        var form: QueryParameters = [
            "client_id": clientID, "grant_type": "password", "password": password.value,
            "password_grant_secret": passwordGrantSecret.value,
            "scope": scopes.map(\.rawValue).joined(separator: dialect.scopeSeparator), "username": username,
        ]
        if requiresAppPassword { form["require_app_specific_password"] = .single("1") }
        return try await grant(form, secrets: [password, passwordGrantSecret])
    }

    /// Obtains a token for the app itself. Use it on servers only.
    ///
    /// `POST oauth/access_token` with `grant_type=client_credentials`; needs the app's secret.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func appToken() async throws -> AccessGrant {
        let secret = try requiredSecret()
        return try await grant(
            ["client_id": clientID, "client_secret": secret.value, "grant_type": "client_credentials"],
            secrets: [secret]
        )
    }

    /// Obtains a token that proves the user's identity to another service, without sharing the user's own token.
    ///
    /// `POST oauth/access_token` with `grant_type=delegate` and the user's token.
    ///
    /// - Parameters:
    ///   - userToken: The user's token.
    ///   - delegateClientID: The client id of the other service's app.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func delegateToken(of userToken: Secret, to delegateClientID: String) async throws -> Secret {
        let form: QueryParameters = ["delegate_client_id": delegateClientID, "grant_type": "delegate"]
        return try await grant(form, member: "delegate_token", bearer: userToken, secrets: [userToken]).accessToken
    }
}

// MARK: Verifying delegated tokens

extension AppNetAuthenticator {
    /// Verifies a delegated token that was issued for this app, and returns its description.
    ///
    /// `GET token` with the fields `Authorization: Basic …` and `Identity-Delegate-Token`
    /// (Docs/Protocols/AppNet.md §1.3); needs the app's secret. App.net only.
    ///
    /// - Throws: ``AppNetError``, with status 401 if the token is not for this app, or `CancellationError` if the task
    ///   is cancelled.
    public func verify(delegateToken: Secret) async throws -> TokenInfo {
        guard dialect == .appNet else {
            throw AppNetError(.unsupportedByDialect, "\(dialect.serviceName) does not support delegated tokens")
        }
        guard let api else { throw AppNetError(.invalidConfiguration, "checking delegated tokens needs a baseURL") }
        let secret = try requiredSecret()
        let credential = Data("\(clientID):\(secret.value)".utf8).base64EncodedString()
        let request = api.get("/token", returning: Envelope<TokenInfo>.self)
            .field(.authorization, "Basic \(credential)")
            .field(.identityDelegateToken, delegateToken.value)
        do {
            let response = try await request.response()
            guard let info = response.value.data else {
                let message = "the response has no data"
                throw AppNetError(.undecodable, message, underlying: response.failure(.emptyResponse, message))
            }
            return info
        } catch let error as HeliumError {
            throw AppNetError(error, call: .token, secrets: [secret.value, delegateToken.value, credential])
        }
    }
}

extension HTTPField.Name {
    fileprivate static let identityDelegateToken = Self(constant: "Identity-Delegate-Token")
}

// MARK: Sending

extension AppNetAuthenticator {
    private func requiredSecret() throws(AppNetError) -> Secret {
        guard let clientSecret else { throw AppNetError(.invalidRequest, "this flow needs the app's secret") }
        return clientSecret
    }

    private func grant(
        _ form: QueryParameters,
        member: String = "access_token",
        bearer: Secret? = nil,
        secrets: [Secret]
    ) async throws -> AccessGrant {
        // A code cannot be exchanged again, even if the response is lost, so the request is never repeated.
        var request = helium.post("/access_token", body: .form(form), returning: Data.self)
            .field(.accept, "application/json")
        if let bearer { request = request.field(.authorization, "Bearer \(bearer.value)") }
        do {
            let response = try await request.response()
            guard let grant = AccessGrant(response.value, tokenMember: member, dialect: dialect) else {
                let message = "the response has no \(member)"
                throw AppNetError(.undecodable, message, underlying: response.failure(.emptyResponse, message))
            }
            return grant
        } catch let error as HeliumError {
            throw AppNetError(error, call: nil, secrets: secrets.map(\.value))
        }
    }
}

extension AppNetAuthenticator: CustomStringConvertible, CustomReflectable {
    /// The client id of the app, without its secret.
    public var description: String { "AppNetAuthenticator(\(clientID), \(helium))" }

    /// A mirror with only the description.
    public var customMirror: Mirror { Mirror(self, children: ["authenticator": description]) }
}
