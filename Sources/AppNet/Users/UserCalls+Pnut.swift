public import Foundation
internal import HeliumCore
internal import HeliumJSON

// The calls that only pnut.io has (Docs/Protocols/AppNet.md §6.2).
extension UserCalls {
    /// Returns the users that the service suggests to follow.
    ///
    /// `GET users/suggested`; a user token. pnut.io only.
    public func suggested(parameters: GeneralParameters = GeneralParameters()) -> PagedList<AppNetUser> {
        client.list(CallRequest(.suggestedUsers, parameters))
    }

    /// Returns the presence of the users who are currently present.
    ///
    /// `GET presence`; a user token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func present() async throws -> [Presence] { try await client.value(CallRequest(.presentUsers)) }

    /// Returns the presence of a user.
    ///
    /// `GET users/{user}/presence`; a user token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func presence(of user: AppNetUser.ID) async throws -> Presence {
        try await client.value(CallRequest(.presence, ["user": user.text]))
    }

    /// Sets the presence of the token's user.
    ///
    /// `PUT users/me/presence`; a user token with `presence`. pnut.io only.
    ///
    /// - Parameters:
    ///   - text: The presence, at most 100 characters. `offline` deletes it.
    ///   - expiration: The end of the presence, at most seven days from now. The default is 15 minutes from now.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func setPresence(_ text: String, until expiration: Date? = nil) async throws -> Presence {
        try await client.value(CallRequest(.setPresence, body: .object(try Self.body(text, expiration))))
    }

    /// Returns the presence of the users who are currently present in a channel.
    ///
    /// `GET channels/{id}/presence`; a user token with `messages`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func present(in channel: AppNetChannel.ID) async throws -> [Presence] {
        try await client.value(CallRequest(.presentInChannel, ["channel": channel.text]))
    }

    /// Returns the presence of a user in a channel.
    ///
    /// `GET users/{user}/presence/channels/{id}`; a user token with `messages`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func presence(of user: AppNetUser.ID, in channel: AppNetChannel.ID) async throws -> Presence {
        try await client.value(CallRequest(.presenceInChannel, ["channel": channel.text, "user": user.text]))
    }

    /// Sets the presence of the token's user in a channel.
    ///
    /// `PUT users/me/presence/channels/{id}`; a user token with `messages`. pnut.io only.
    ///
    /// - Parameters:
    ///   - text: The presence, at most 100 characters. `offline` deletes it.
    ///   - channel: The channel.
    ///   - expiration: The end of the presence, at most seven days from now. The default is 15 minutes from now.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func setPresence(
        _ text: String,
        in channel: AppNetChannel.ID,
        until expiration: Date? = nil
    ) async throws -> Presence {
        let body = CallRequest.Body.object(try Self.body(text, expiration))
        return try await client.value(CallRequest(.setPresenceInChannel, ["channel": channel.text], body: body))
    }

    private static func body(_ text: String, _ expiration: Date?) throws(AppNetError) -> JSONValue {
        guard text.unicodeScalars.count <= 100 else {
            throw AppNetError(.invalidRequest, "a presence has at most 100 characters")
        }
        var body: JSONObject = ["presence": .string(text)]
        if let expiration {
            guard let seconds = Int64(exactly: expiration.timeIntervalSince1970.rounded(.down)) else {
                throw AppNetError(.invalidRequest, "the expiration of a presence is out of range")
            }
            body["expiration"] = .number(JSONNumber(seconds))
        }
        return .object(body)
    }
}

// MARK: Badges

extension UserCalls {
    /// Returns all badges.
    ///
    /// `GET badges`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func badges() async throws -> [Badge] { try await client.value(CallRequest(.badges)) }

    /// Returns a badge.
    ///
    /// `GET badges/{id}`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func badge(_ id: String) async throws -> Badge {
        try await client.value(CallRequest(.badge, ["badge": id]))
    }

    /// Returns the badges of the token's user.
    ///
    /// `GET users/me/badges`; a user token. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func ownBadges() async throws -> [Badge] { try await client.value(CallRequest(.ownBadges)) }
}
