internal import HeliumCore

/// The calls of users (§2.5). A user is an id, ``AppNetID/me`` or ``AppNetID/named(_:)``.
public struct UserCalls: Sendable {
    let client: AppNetClient

    /// A user.
    ///
    /// `GET users/{user}`; no token needed.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.user, ["user": user.text], parameters))
    }

    /// The users that there are under ids or names. More than 200 take several calls.
    ///
    /// `GET users?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(
        _ users: [AppNetUser.ID],
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.elements(users, CallRequest(.usersByID, parameters))
    }

    /// Users by name, username and description.
    ///
    /// `GET users/search?q=`; any token.
    ///
    /// - Parameters:
    ///   - text: `@name`, `#tag` or words.
    ///   - count: How many at most. Default: the service's.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func search(
        _ text: String,
        count: Int? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.value(CallRequest(.searchUsers, query: ["count": count, "q": text], parameters))
    }
}

// MARK: Relations

extension UserCalls {
    /// Follows a user.
    ///
    /// `POST users/{user}/follow`; a user token with `follow`. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func follow(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.follow, ["user": user.text], parameters))
    }

    /// Follows a user no more.
    ///
    /// `DELETE users/{user}/follow`; a user token with `follow`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func unfollow(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.unfollow, ["user": user.text], parameters))
    }

    /// Mutes a user.
    ///
    /// `POST users/{user}/mute`; a user token with `follow`. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func mute(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.muteUser, ["user": user.text], parameters))
    }

    /// Unmutes a user.
    ///
    /// `DELETE users/{user}/mute`; a user token with `follow`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func unmute(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.unmuteUser, ["user": user.text], parameters))
    }

    /// Blocks a user, who is muted then; neither follows the other.
    ///
    /// `POST users/{user}/block`; a user token with `follow`. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func block(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.blockUser, ["user": user.text], parameters))
    }

    /// Unblocks a user.
    ///
    /// `DELETE users/{user}/block`; a user token with `follow`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func unblock(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.unblockUser, ["user": user.text], parameters))
    }

    /// Whom a user follows. Positions are not users' ids. A user stream can subscribe to those of the token's user.
    ///
    /// `GET users/{user}/following`; any token.
    public func following(
        of user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.following, ["user": user.text], parameters))
    }

    /// Who follows a user. Positions are not users' ids. A user stream can subscribe to those of the token's user.
    ///
    /// `GET users/{user}/followers`; any token.
    public func followers(
        of user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.followers, ["user": user.text], parameters))
    }

    /// The ids of all whom a user follows.
    ///
    /// `GET users/{user}/following/ids`; any token. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func followingIDs(of user: AppNetUser.ID) async throws -> [AppNetUser.ID] {
        try await client.value(CallRequest(.followingIDs, ["user": user.text]))
    }

    /// The ids of all who follow a user.
    ///
    /// `GET users/{user}/followers/ids`; any token. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func followerIDs(of user: AppNetUser.ID) async throws -> [AppNetUser.ID] {
        try await client.value(CallRequest(.followerIDs, ["user": user.text]))
    }

    /// Whom a user has muted.
    ///
    /// `GET users/{user}/muted`; a user token for ``AppNetID/me``, an app token for any user that authorised the app.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func muted(
        by user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.value(CallRequest(.mutedUsers, ["user": user.text], parameters))
    }

    /// Whom a user has blocked.
    ///
    /// `GET users/{user}/blocked`; a user token for ``AppNetID/me``, an app token for any user that authorised the app.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func blocked(
        by user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.value(CallRequest(.blockedUsers, ["user": user.text], parameters))
    }

    /// The ids of those whom users have muted. More than 200 take several calls.
    ///
    /// `GET users/muted/ids?ids=`; an app token. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func mutedIDs(by users: [AppNetUser.ID]) async throws -> [AppNetUser.ID: [AppNetUser.ID]] {
        try await client.elementsByID(users, CallRequest(.mutedUserIDs))
    }

    /// The ids of those whom users have blocked. More than 200 take several calls.
    ///
    /// `GET users/blocked/ids?ids=`; an app token. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func blockedIDs(by users: [AppNetUser.ID]) async throws -> [AppNetUser.ID: [AppNetUser.ID]] {
        try await client.elementsByID(users, CallRequest(.blockedUserIDs))
    }
}
