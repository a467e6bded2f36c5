public import Foundation
internal import HTTPTypes
public import HeliumCore
public import HeliumCurl
public import HeliumKit

/// Gets tokens (§1.3): for codes of web sign-ins, for passwords, for the app itself.
///
/// ```swift
/// let authenticator = try AppNetAuthenticator(clientID: "…", clientSecret: secret, dialect: .pnut)
/// let grant = try await authenticator.appToken()
/// ```
///
/// Refusals are ``AppNetError``s of kind ``AppNetError/Kind/signInRefused``; no error shows a secret, a password or a
/// code.
public final class AppNetAuthenticator: Sendable {
    /// The app.
    public let clientID: String

    /// Which service it is.
    public let dialect: AppNetDialect

    private let clientSecret: Secret?
    private let helium: Helium
    private let api: Helium?

    /// An authenticator. No I/O happens here.
    ///
    /// - Parameters:
    ///   - clientID: The app.
    ///   - clientSecret: Its secret; the flows that need one say so.
    ///   - dialect: The service.
    ///   - tokenBaseURL: The base URL of `access_token`. Default: pnut.io's; needed for App.net's dialect.
    ///   - baseURL: The API's base URL, for ``verify(delegateToken:)``. Default: pnut.io's; needed for that call of App.net's
    ///     dialect.
    ///   - options: Everything of a client that has a default.
    ///   - connection: How connections are made and kept.
    ///   - environment: Clock, chance and transport.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/invalidConfiguration``, naming what can't be used.
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
        // One transport for both addresses.
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

    /// Ends calls under way and closes the connections. Later calls fail.
    public func close() async {
        await api?.close()
        await helium.close()
    }
}

// MARK: Flows

extension AppNetAuthenticator {
    /// A token for the code of a web sign-in; a code is good for one.
    ///
    /// `POST oauth/access_token`, `grant_type=authorization_code`; needs the app's secret.
    ///
    /// - Parameters:
    ///   - code: From ``WebSignIn/code(from:)``.
    ///   - redirectURI: The one of the sign-in.
    /// - Throws: ``AppNetError``; `CancellationError`.
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

    /// A token for a user's name and password; the service has to have approved the app for it.
    ///
    /// `POST oauth/access_token`, `grant_type=password`.
    ///
    /// - Parameters:
    ///   - username: Name or mail address.
    ///   - password: The password, or one that was made for this app.
    ///   - passwordGrantSecret: The app's secret for this flow.
    ///   - scopes: What the token is to permit.
    ///   - requiresAppPassword: Whether only a password that was made for this app is accepted.
    /// - Throws: ``AppNetError``: show the refusal's ``OAuthRefusal/userTitle`` and ``OAuthRefusal/userText``;
    ///   `CancellationError`.
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

    /// A token for the app itself: for servers only.
    ///
    /// `POST oauth/access_token`, `grant_type=client_credentials`; needs the app's secret.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func appToken() async throws -> AccessGrant {
        let secret = try requiredSecret()
        return try await grant(
            ["client_id": clientID, "client_secret": secret.value, "grant_type": "client_credentials"],
            secrets: [secret]
        )
    }

    /// A token that proves to another service who the user is, without giving it the user's own.
    ///
    /// `POST oauth/access_token`, `grant_type=delegate`, with the user's token.
    ///
    /// - Parameters:
    ///   - userToken: The user's token.
    ///   - delegateClientID: The other service's app.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func delegateToken(of userToken: Secret, to delegateClientID: String) async throws -> Secret {
        let form: QueryParameters = ["delegate_client_id": delegateClientID, "grant_type": "delegate"]
        return try await grant(form, member: "delegate_token", bearer: userToken, secrets: [userToken]).accessToken
    }
}

// MARK: Checking others' tokens

extension AppNetAuthenticator {
    /// Whose a delegated token is, that was made for this app.
    ///
    /// `GET token` with the fields `Authorization: Basic …` and `Identity-Delegate-Token` (§1.3); needs the app's
    /// secret. App.net only.
    ///
    /// - Throws: ``AppNetError``, of a 401 where the token is not for this app; `CancellationError`.
    public func verify(delegateToken: Secret) async throws -> TokenInfo {
        guard dialect == .appNet else {
            throw AppNetError(.unsupportedByDialect, "\(dialect.serviceName) delegates no tokens")
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
                let message = "the answer has no data"
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
        // A code that was exchanged is gone, whatever became of the answer: never twice.
        var request = helium.post("/access_token", body: .form(form), returning: Data.self)
            .field(.accept, "application/json")
        if let bearer { request = request.field(.authorization, "Bearer \(bearer.value)") }
        do {
            let response = try await request.response()
            guard let grant = AccessGrant(response.value, tokenMember: member, dialect: dialect) else {
                let message = "the answer has no \(member)"
                throw AppNetError(.undecodable, message, underlying: response.failure(.emptyResponse, message))
            }
            return grant
        } catch let error as HeliumError {
            throw AppNetError(error, call: nil, secrets: secrets.map(\.value))
        }
    }
}

extension AppNetAuthenticator: CustomStringConvertible, CustomReflectable {
    /// The app; not its secret.
    public var description: String { "AppNetAuthenticator(\(clientID), \(helium))" }

    /// The app; not its secret.
    public var customMirror: Mirror { Mirror(self, children: ["authenticator": description]) }
}
