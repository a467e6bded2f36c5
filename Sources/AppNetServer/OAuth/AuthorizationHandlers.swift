internal import HTTPTypes
internal import HeliumServerKit

/// The web flows: a page on which a user signs in, and the redirect to the app (Docs/Protocols/AppNet.md §1.3).
struct AuthorizationHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET oauth/authenticate` and `oauth/authorize`. Returns the page.
    func show() throws -> AppNetResponse {
        let fields = context.parameters
        return try answer(fields) { question in
            .reply(AuthorizationPage.form(for: question, fields: Self.hiddenFields(fields)))
        }
    }

    /// Handles the `POST` of the page's form. The parameters are in the form or in the query.
    ///
    /// The form does not use a session. It contains the user name and password each time, so that no other page can
    /// submit it in the name of a user.
    func decide() throws -> AppNetResponse {
        var fields = context.parameters
        if case .form(let form) = context.request.body {
            for (name, value) in form.all { fields[name] = value }
        }
        return try answer(fields) { question in
            if fields["decision"] == "deny" {
                return Self.redirect(question.refusing("access_denied", "The user denied your request."))
            }
            guard let name = fields["username"], let password = fields["password"],
                let user = try UserFinder(context).signedIn(name, password: password)
            else {
                let page = AuthorizationPage.form(
                    for: question,
                    fields: Self.hiddenFields(fields),
                    message: "User name or password is wrong."
                )
                return .reply(page)
            }
            switch question.kind {
            case .token:
                let token = try TokenIssuer(context).issue(
                    user: user.id,
                    client: question.client.clientID,
                    scopes: question.scopes
                )
                return Self.redirect(question.returning([("access_token", token.secret)]))
            case .code:
                let code = context.state.store.newSecret()
                try tables.codes.insert(
                    AuthorizationCodeTable.Code(
                        secret: code,
                        client: question.client.clientID,
                        user: user.id,
                        scopes: question.scopes,
                        redirectURI: question.redirectURI,
                        createdAt: context.now
                    )
                )
                return Self.redirect(question.returning([("code", code)]))
            }
        }
    }

    private func answer(
        _ fields: FormFields,
        _ body: (AuthorizationQuestion) throws -> AppNetResponse
    ) throws -> AppNetResponse {
        // Redirects are only safe after the app and its redirect URI were validated.
        guard let client = try fields["client_id"].flatMap({ try tables.apps.app($0) }) else {
            return .reply(AuthorizationPage.refusal("The app is unknown: client_id is missing or wrong."))
        }
        guard let uri = fields["redirect_uri"],
            let target = RedirectTarget(uri, registered: client.redirectURIs)
        else {
            return .reply(AuthorizationPage.refusal("redirect_uri is missing, or is not registered for the app."))
        }
        let kind = fields["response_type"].map { AuthorizationQuestion.Kind(rawValue: $0) }
        let question = AuthorizationQuestion(
            kind: kind.flatMap { $0 } ?? .code,
            client: client,
            target: target,
            redirectURI: uri,
            scopes: Set(list: fields["scope"] ?? ""),
            state: fields["state"]
        )
        guard kind.flatMap({ $0 }) != nil else {
            return Self.redirect(question.refusing("unsupported_response_type", "response_type must be code or token."))
        }
        do {
            return try body(question)
        } catch let failure as OAuthFailure {
            return Self.redirect(question.refusing(failure.code, failure.text))
        }
    }

    /// Returns the parameters that are sent back with the form. The user's input is not included.
    private static func hiddenFields(_ fields: FormFields) -> [(String, String)] {
        ["client_id", "redirect_uri", "response_type", "scope", "state"].compactMap { name in
            fields[name].map { (name, $0) }
        }
    }

    /// Returns a redirect with status 302. The service sent 302, which browsers handle like the more accurate 303.
    private static func redirect(_ url: String) -> AppNetResponse { AppNetResponse.redirect(url).uncached }
}
