internal import HeliumCore

/// The calls of the token (§2.6).
public struct TokenCalls: Sendable {
    let client: AppNetClient

    /// What the token is good for, and whose it is.
    ///
    /// `GET token`; any token.
    ///
    /// - Parameters:
    ///   - subscription: The user stream to subscribe to changes of it and of its user (§2.14). Default: none.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``: with ``AppNetError/needsSignIn`` it is no good any more; `CancellationError`.
    public func current(
        subscription: StreamSubscriptionParameters? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> TokenInfo {
        try await currentAnswer(subscription: subscription, parameters).token
    }

    /// The same with what the answer says besides: the subscription that it made.
    package func currentAnswer(
        subscription: StreamSubscriptionParameters?,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> (token: TokenInfo, meta: ResponseMeta) {
        var request = CallRequest(.token, parameters)
        request.subscription = subscription
        let response = try await client.answer(request, as: TokenInfo.self)
        guard let token = response.value.data else { throw AppNetClient.missingData(in: response, request) }
        return (token, response.value.meta ?? ResponseMeta())
    }

    /// Ends the token: nobody can use it any more. Forget it then: ``AccountTokens/remove(_:)``.
    ///
    /// `DELETE token`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func revoke() async throws -> TokenInfo { try await client.value(CallRequest(.revokeToken)) }

    /// The ids of the users that authorised the app.
    ///
    /// `GET apps/me/tokens/user_ids`; an app token. pnut.io: `apps/me/users/ids`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func userIDs() async throws -> [AppNetUser.ID] { try await client.value(CallRequest(.appUserIDs)) }

    /// The tokens that users gave the app, without the texts of the tokens themselves.
    ///
    /// `GET apps/me/tokens`; an app token. pnut.io: `apps/me/users/tokens`.
    public func all(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<TokenInfo> {
        client.list(CallRequest(.appTokens, parameters))
    }
}
