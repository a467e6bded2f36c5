internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The token endpoint (§1.3).
extension AppNetCall {
    /// `POST oauth/access_token`: trades a code, a password, an app's secret or a token in.
    func grantToken() throws -> AppNetAnswer {
        do {
            // JSON is refused on purpose, as the service did.
            guard case .form(let form) = request.body else { throw OAuthFailure.unknownGrant }
            switch form["grant_type"] {
            case "authorization_code": return try codeGrant(form)
            case "password": return try passwordGrant(form)
            case "client_credentials": return try appGrant(form)
            case "delegate": return try delegateGrant(form)
            default: throw OAuthFailure.unknownGrant
            }
        } catch let failure as OAuthFailure {
            return Self.uncached(.bare(failure.status, failure.document))
        }
    }

    private func codeGrant(_ form: AppNetParameters) throws -> AppNetAnswer {
        guard let app = try ClientCredentials(request, parameters: form)?.app(in: apps) else {
            throw OAuthFailure.unknownClient
        }
        guard let secret = form["code"] else { throw OAuthFailure.missing("code") }
        guard let uri = form["redirect_uri"] else {
            throw OAuthFailure("invalid_request", "redirect_uri is missing.", slug: "redirect-uri-required")
        }
        guard let code = try codes.code(secret), code.client == app.clientID, code.redirectURI == uri,
            now - code.createdAt <= AuthorizationCodeTable.lifetime
        else { throw OAuthFailure("invalid_grant", "The code is invalid or has expired.") }
        guard !code.isUsed else {
            // Somebody else may have the code, and perhaps the token: RFC 6749 §4.1.2.
            if let token = try code.token.flatMap({ try tokens.token(id: $0) }), token.state == .active {
                try revoke(token)
            }
            throw OAuthFailure("invalid_grant", "The code has already been used.", slug: "code-used")
        }
        let token = try newToken(user: code.user, client: app.clientID, scopes: code.scopes)
        try codes.markUsed(secret, by: token.id)
        return try granted(token)
    }

    private func passwordGrant(_ form: AppNetParameters) throws -> AppNetAnswer {
        guard let client = form["client_id"], let app = try apps.app(client) else { throw OAuthFailure.unknownClient }
        guard let allowed = app.passwordGrantSecret,
            let secret = form["password_grant_secret"], ConstantTime.areEqual(allowed, secret)
        else {
            throw OAuthFailure("unauthorized_client", "The client may not use the password flow.")
        }
        guard let name = form["username"] else { throw OAuthFailure.missing("username") }
        guard let password = form["password"] else { throw OAuthFailure.missing("password") }
        guard let user = try signedIn(name, password: password) else {
            var failure = OAuthFailure("invalid_grant", "User name or password are wrong.")
            failure.isShown = true
            throw failure
        }
        let scopes = Set<AppNetScope>(list: form["scope"] ?? "")
        return try granted(try newToken(user: user.id, client: app.clientID, scopes: scopes))
    }

    private func appGrant(_ form: AppNetParameters) throws -> AppNetAnswer {
        guard let app = try ClientCredentials(request, parameters: form)?.app(in: apps) else {
            throw OAuthFailure.unknownClient
        }
        return try granted(try newToken(user: nil, client: app.clientID, scopes: []))
    }

    /// A token by which another service learns who the user is, and nothing else.
    private func delegateGrant(_ form: AppNetParameters) throws -> AppNetAnswer {
        guard let secret = request.token, let token = try tokens.token(secret), token.state == .active,
            token.user != nil
        else {
            throw OAuthFailure("invalid_token", "A user token is needed.", status: .unauthorized, slug: "invalid-token")
        }
        guard let client = form["delegate_client_id"] else { throw OAuthFailure.missing("delegate_client_id") }
        guard try apps.app(client) != nil else { throw OAuthFailure.unknownClient }
        let delegate = try AppNetStore.newSecret()
        try codes.insertDelegate(delegate, client: client, token: token.id)
        return Self.uncached(.bare(.ok, ["delegate_token": .string(delegate)]))
    }

    private func granted(_ token: AppNetToken) throws -> AppNetAnswer {
        Self.uncached(.bare(.ok, ["access_token": .string(token.secret), "token": try json(token)]))
    }

    /// Credentials are not for caches (RFC 6749, section 5.1).
    private static func uncached(_ answer: AppNetAnswer) -> AppNetAnswer {
        var answer = answer
        answer.fields[.cacheControl] = "no-store"
        return answer
    }
}

// MARK: - Checking a delegation

extension AppNetCall {
    /// The token behind `GET token` with a delegate token (§1.3); nil where the request has none.
    ///
    /// - Throws: ``AppNetFailure`` with 401 where app and delegate token do not belong together.
    func delegatedToken() throws -> AppNetToken? {
        let header = HTTPField.Name.identityDelegateToken
        guard let delegate = request.fields[header] ?? parameters["delegate_token"] else { return nil }
        guard let app = try ClientCredentials(request, parameters: parameters)?.app(in: apps),
            let id = try codes.delegated(delegate, client: app.clientID), let token = try tokens.token(id: id),
            token.state == .active
        else { throw AppNetFailure.invalidToken }
        return token
    }
}

extension HTTPField.Name {
    static let identityDelegateToken = Self.known("Identity-Delegate-Token")
}
