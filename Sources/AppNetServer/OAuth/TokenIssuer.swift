internal import HTTPTypes
internal import HeliumServerKit

/// Stores and revokes tokens, and records the events for streams (Docs/Protocols/AppNet.md §1.3).
struct TokenIssuer: RequestScoped {
    let context: AppNetContext

    /// Stores a new token. If the user has too many tokens for the app, or the app too many of its own, the oldest one
    /// is revoked. Tokens of the configuration are never revoked.
    ///
    /// - Throws: ``OAuthFailure`` if the maximum number of tokens is reached.
    func issue(user: Int64?, client: String, scopes: Set<AppNetScope>) throws -> AppNetToken {
        let earlier = try tables.tokens.tokens(of: user, client: client)
        if earlier.count >= context.maxima.tokensPerUser, let oldest = earlier.first(where: { !$0.isInitial }) {
            try revoke(oldest)
        }
        guard try tables.tokens.count() < context.maxima.tokens else {
            throw OAuthFailure("temporarily_unavailable", "No more tokens can be stored.", status: .serviceUnavailable)
        }
        let token = try tables.tokens.insert(
            AppNetToken(
                id: 0,
                secret: context.state.store.newSecret(),
                user: user,
                client: client,
                scopes: user == nil ? [] : scopes,
                created: context.now
            )
        )
        context.effects.append(AppNetEvent(kind: .token, object: token.id, actor: user))
        return token
    }

    /// Revokes a token and deletes the streams that it opened.
    func revoke(_ token: AppNetToken) throws {
        try tables.tokens.setState(.revoked, of: token.id)
        context.effects.append(AppNetEvent(kind: .token, object: token.id, actor: token.user, isDeleted: true))
    }
}
