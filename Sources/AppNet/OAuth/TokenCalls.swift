internal import HeliumCore

/// The calls for the token (Docs/Protocols/AppNet.md §2.6).
public struct TokenCalls: Sendable {
    let client: AppNetClient

    /// Returns the description of the token, with its user.
    ///
    /// `GET token`; any token.
    ///
    /// - Parameter parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, whose ``AppNetError/needsSignIn`` is `true` if the service rejected the token, or
    ///   `CancellationError` if the task is cancelled.
    public func current(parameters: GeneralParameters = GeneralParameters()) async throws -> TokenInfo {
        try await currentAnswer(subscription: nil, parameters).token
    }

    /// Returns the description of the token, and the metadata of the response with the new subscription.
    ///
    /// - Parameters:
    ///   - subscription: The user stream that subscribes to changes of the token and its user
    ///     (Docs/Protocols/AppNet.md §2.14); `nil` for none.
    ///   - parameters: The optional members of the response.
    package func currentAnswer(
        subscription: StreamSubscriptionParameters?,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> (token: TokenInfo, meta: ResponseMeta) {
        var request = CallRequest(.token, parameters)
        request.subscription = subscription
        let response = try await client.answer(request, as: TokenInfo.self)
        guard let token = response.value.data else { throw AppNetClient.missingDataError(in: response, request) }
        return (token, response.value.meta ?? ResponseMeta())
    }

    /// Revokes the token, which can no longer be used. Then remove it with ``AccountTokens/remove(_:)``.
    ///
    /// `DELETE token`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func revoke() async throws -> TokenInfo { try await client.value(CallRequest(.revokeToken)) }

    /// Returns the ids of the users who have authorized the app.
    ///
    /// `GET apps/me/tokens/user_ids`; an app token. pnut.io: `apps/me/users/ids`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func userIDs() async throws -> [AppNetUser.ID] { try await client.value(CallRequest(.appUserIDs)) }

    /// Returns the descriptions of the tokens that users have granted to the app, without the tokens themselves.
    ///
    /// `GET apps/me/tokens`; an app token. pnut.io: `apps/me/users/tokens`.
    public func all(parameters: GeneralParameters = GeneralParameters()) -> PagedList<TokenInfo> {
        client.list(CallRequest(.appTokens, parameters))
    }
}
