internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The token endpoint (Docs/Protocols/AppNet.md §1.3).
struct AccessTokenHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `POST oauth/access_token`. Issues a token for a code, a password, an app's secret or a token.
    func grant() throws -> AppNetResponse {
        do {
            // JSON is rejected intentionally, as the service did.
            guard case .form(let form) = context.request.body else { throw OAuthFailure.unknownGrant }
            switch form["grant_type"] {
            case "authorization_code": return try codeGrant(form)
            case "password": return try passwordGrant(form)
            case "client_credentials": return try appGrant(form)
            case "delegate": return try delegateGrant(form)
            default: throw OAuthFailure.unknownGrant
            }
        } catch let failure as OAuthFailure {
            return AppNetResponse.bare(failure.status, failure.document).uncached
        }
    }

    private func codeGrant(_ form: FormFields) throws -> AppNetResponse {
        guard let app = try ClientCredentials(context.request, parameters: form)?.app(in: tables.apps) else {
            throw OAuthFailure.unknownClient
        }
        guard let secret = form["code"] else { throw OAuthFailure.missing("code") }
        guard let uri = form["redirect_uri"] else {
            throw OAuthFailure("invalid_request", "redirect_uri is missing.", slug: "redirect-uri-required")
        }
        guard let code = try tables.codes.code(secret), code.client == app.clientID, code.redirectURI == uri,
            context.now - code.createdAt <= AuthorizationCodeTable.lifetime
        else { throw OAuthFailure("invalid_grant", "The code is invalid or has expired.") }
        guard !code.isUsed else {
            // Another party may have the code and the token (RFC 6749 §4.1.2).
            if let token = try code.token.flatMap({ try tables.tokens.token(id: $0) }), token.state == .active {
                try TokenIssuer(context).revoke(token)
            }
            throw OAuthFailure("invalid_grant", "The code has already been used.", slug: "code-used")
        }
        let token = try TokenIssuer(context).issue(user: code.user, client: app.clientID, scopes: code.scopes)
        try tables.codes.markUsed(secret, by: token.id)
        return try granted(token)
    }

    private func passwordGrant(_ form: FormFields) throws -> AppNetResponse {
        guard let client = form["client_id"], let app = try tables.apps.app(client) else {
            throw OAuthFailure.unknownClient
        }
        guard let allowed = app.passwordGrantSecret,
            let secret = form["password_grant_secret"], ConstantTime.areEqual(allowed, secret)
        else {
            throw OAuthFailure("unauthorized_client", "The client may not use the password flow.")
        }
        guard let name = form["username"] else { throw OAuthFailure.missing("username") }
        guard let password = form["password"] else { throw OAuthFailure.missing("password") }
        guard let user = try UserFinder(context).signedIn(name, password: password) else {
            var failure = OAuthFailure("invalid_grant", "User name or password is wrong.")
            failure.isShown = true
            throw failure
        }
        let scopes = Set<AppNetScope>(list: form["scope"] ?? "")
        return try granted(TokenIssuer(context).issue(user: user.id, client: app.clientID, scopes: scopes))
    }

    private func appGrant(_ form: FormFields) throws -> AppNetResponse {
        guard let app = try ClientCredentials(context.request, parameters: form)?.app(in: tables.apps) else {
            throw OAuthFailure.unknownClient
        }
        return try granted(TokenIssuer(context).issue(user: nil, client: app.clientID, scopes: []))
    }

    /// Issues a token with which another service can only identify the user.
    private func delegateGrant(_ form: FormFields) throws -> AppNetResponse {
        guard let secret = context.request.token, let token = try tables.tokens.token(secret), token.state == .active,
            token.user != nil
        else {
            throw OAuthFailure("invalid_token", "A user token is needed.", status: .unauthorized, slug: "invalid-token")
        }
        guard let client = form["delegate_client_id"] else { throw OAuthFailure.missing("delegate_client_id") }
        guard try tables.apps.app(client) != nil else { throw OAuthFailure.unknownClient }
        let delegate = context.state.store.newSecret()
        try tables.codes.insertDelegate(delegate, client: client, token: token.id)
        return AppNetResponse.bare(.ok, ["delegate_token": .string(delegate)]).uncached
    }

    private func granted(_ token: AppNetToken) throws -> AppNetResponse {
        let document = try context.renderer.token(token, maxima: context.maxima)
        return AppNetResponse.bare(.ok, ["access_token": .string(token.secret), "token": document]).uncached
    }
}
