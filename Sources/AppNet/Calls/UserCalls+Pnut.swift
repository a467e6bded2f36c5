internal import HeliumCore
internal import HeliumJSON

// What only pnut.io has (§6.2).
extension UserCalls {
    /// Users that the service suggests to follow.
    ///
    /// `GET users/suggested`; a user token. pnut.io only.
    public func suggested(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<User> {
        client.list(CallRequest(.suggestedUsers, parameters))
    }

    /// Who is present just now.
    ///
    /// `GET presence`; a user token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func present() async throws -> [Presence] { try await client.value(CallRequest(.presentUsers)) }

    /// Whether a user is present.
    ///
    /// `GET users/{user}/presence`; a user token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func presence(of user: User.ID) async throws -> Presence {
        try await client.value(CallRequest(.presence, ["user": user.text]))
    }

    /// Says what the token's user is doing, for 15 minutes.
    ///
    /// `PUT users/me/presence`; a user token with `presence`. pnut.io only.
    ///
    /// - Parameter text: At most 100 characters; `offline` ends it.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func setPresence(_ text: String) async throws -> Presence {
        try await client.value(CallRequest(.setPresence, body: .object(try Self.body(text))))
    }

    /// Who is present in a channel just now.
    ///
    /// `GET channels/{id}/presence`; a user token with `messages`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func present(in channel: Channel.ID) async throws -> [Presence] {
        try await client.value(CallRequest(.presentInChannel, ["channel": channel.text]))
    }

    /// Whether a user is present in a channel.
    ///
    /// `GET users/{user}/presence/channels/{id}`; a user token with `messages`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func presence(of user: User.ID, in channel: Channel.ID) async throws -> Presence {
        try await client.value(CallRequest(.presenceInChannel, ["channel": channel.text, "user": user.text]))
    }

    /// Says what the token's user is doing in a channel.
    ///
    /// `PUT users/me/presence/channels/{id}`; a user token with `messages`. pnut.io only.
    ///
    /// - Parameters:
    ///   - text: At most 100 characters; `offline` ends it.
    ///   - channel: The channel.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func setPresence(_ text: String, in channel: Channel.ID) async throws -> Presence {
        let body = CallRequest.Body.object(try Self.body(text))
        return try await client.value(CallRequest(.setPresenceInChannel, ["channel": channel.text], body: body))
    }

    private static func body(_ text: String) throws(AppNetError) -> JSONValue {
        guard text.unicodeScalars.count <= 100 else {
            throw AppNetError(.invalidRequest, "what a user is doing has at most 100 characters")
        }
        return .object(["presence": .string(text)])
    }
}

// MARK: Badges

extension UserCalls {
    /// All badges.
    ///
    /// `GET badges`; a user token that has one. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func badges() async throws -> [Badge] { try await client.value(CallRequest(.badges)) }

    /// A badge.
    ///
    /// `GET badges/{id}`; a user token that has one. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func badge(_ id: String) async throws -> Badge {
        try await client.value(CallRequest(.badge, ["badge": id]))
    }

    /// The badges of the token's user.
    ///
    /// `GET users/me/badges`; a user token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func ownBadges() async throws -> [Badge] { try await client.value(CallRequest(.ownBadges)) }
}
