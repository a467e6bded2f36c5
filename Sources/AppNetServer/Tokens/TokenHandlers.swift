internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit

/// The calls for tokens (Docs/Protocols/AppNet.md §2.6).
struct TokenHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET token`. Returns the caller's token, or that of a delegate token (Docs/Protocols/AppNet.md §1.3).
    func read() throws -> AppNetResponse { .data(try json(delegatedToken() ?? context.token())) }

    /// Handles `DELETE token`. Revokes the current token.
    func delete() throws -> AppNetResponse {
        let token = try context.token()
        let answer = AppNetResponse.data(try json(token))
        try TokenIssuer(context).revoke(token)
        return answer
    }

    /// Handles `GET apps/me/tokens/user_ids`.
    func listUsers() throws -> AppNetResponse {
        var seen: Set<Int64> = []
        let tokens = try tables.tokens.userTokens(of: context.token().client)
        let users = tokens.compactMap(\.user).filter { seen.insert($0).inserted }
        return .data(.array(users.map { .id($0) }))
    }

    /// Handles `GET apps/me/tokens`.
    func list() throws -> AppNetResponse {
        let all = try tables.tokens.userTokens(of: context.token().client)
        return try context.page(of: all.reversed(), id: \.id, render: json)
    }

    /// Returns the JSON object of a token (Docs/Protocols/AppNet.md §3.5).
    private func json(_ token: AppNetToken) throws -> JSONValue {
        try context.renderer.token(token, maxima: context.maxima)
    }

    /// Returns the token of the request's delegate token (Docs/Protocols/AppNet.md §1.3); `nil` if it has none.
    ///
    /// - Throws: ``AppNetFailure`` with 401 if the delegate token was not issued to the app.
    private func delegatedToken() throws -> AppNetToken? {
        let header = HTTPField.Name.identityDelegateToken
        guard let delegate = context.request.fields[header] ?? context.parameters["delegate_token"] else { return nil }
        guard
            let app = try ClientCredentials(context.request, parameters: context.parameters)?
                .app(in: tables.apps),
            let id = try tables.codes.delegated(delegate, client: app.clientID),
            let token = try tables.tokens.token(id: id),
            token.state == .active
        else { throw AppNetFailure.invalidToken }
        return token
    }
}

extension HTTPField.Name {
    fileprivate static let identityDelegateToken = Self.known("Identity-Delegate-Token")
}
