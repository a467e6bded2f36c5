internal import HeliumCore

/// The calls for users (Docs/Protocols/AppNet.md §2.5). A user is an id, ``AppNetID/me`` or ``AppNetID/named(_:)``.
public struct UserCalls: Sendable {
    let client: AppNetClient

    /// Returns a user.
    ///
    /// `GET users/{user}`; no token needed.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.user, ["user": user.text], parameters))
    }

    /// Returns the users with the given ids or names. More than 200 are split over several calls.
    ///
    /// `GET users?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(
        _ users: [AppNetUser.ID],
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.elements(users, CallRequest(.usersByID, parameters))
    }

    /// Searches for users by name, user name and description.
    ///
    /// `GET users/search?q=`; any token.
    ///
    /// - Parameters:
    ///   - text: The search text: `@name`, `#tag` or words.
    ///   - count: The maximum number of users. The default is that of the service.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func search(
        _ text: String,
        count: Int? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.value(CallRequest(.searchUsers, query: ["count": count, "q": text], parameters))
    }
}

// MARK: Relationships

extension UserCalls {
    /// Follows a user.
    ///
    /// `POST users/{user}/follow`; a user token with `follow`. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func follow(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.follow, ["user": user.text], parameters))
    }

    /// Unfollows a user.
    ///
    /// `DELETE users/{user}/follow`; a user token with `follow`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func unfollow(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.unfollow, ["user": user.text], parameters))
    }

    /// Mutes a user.
    ///
    /// `POST users/{user}/mute`; a user token with `follow`. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func mute(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.muteUser, ["user": user.text], parameters))
    }

    /// Unmutes a user.
    ///
    /// `DELETE users/{user}/mute`; a user token with `follow`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func unmute(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.unmuteUser, ["user": user.text], parameters))
    }

    /// Blocks a user. This also mutes the user, and the two users no longer follow each other.
    ///
    /// `POST users/{user}/block`; a user token with `follow`. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func block(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.blockUser, ["user": user.text], parameters))
    }

    /// Unblocks a user.
    ///
    /// `DELETE users/{user}/block`; a user token with `follow`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func unblock(_ user: AppNetUser.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetUser
    {
        try await client.value(CallRequest(.unblockUser, ["user": user.text], parameters))
    }

    /// Returns the users that a user follows. The pagination ids are not user ids. A user stream can subscribe to the
    /// list of the token's user.
    ///
    /// `GET users/{user}/following`; any token.
    public func following(
        of user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.following, ["user": user.text], parameters))
    }

    /// Returns the users who follow a user. The pagination ids are not user ids. A user stream can subscribe to the
    /// list of the token's user.
    ///
    /// `GET users/{user}/followers`; any token.
    public func followers(
        of user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.followers, ["user": user.text], parameters))
    }

    /// Returns the ids of all users that a user follows.
    ///
    /// `GET users/{user}/following/ids`; any token. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func followingIDs(of user: AppNetUser.ID) async throws -> [AppNetUser.ID] {
        try await client.value(CallRequest(.followingIDs, ["user": user.text]))
    }

    /// Returns the ids of all users who follow a user.
    ///
    /// `GET users/{user}/followers/ids`; any token. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func followerIDs(of user: AppNetUser.ID) async throws -> [AppNetUser.ID] {
        try await client.value(CallRequest(.followerIDs, ["user": user.text]))
    }

    /// Returns all users that a user has muted. A list that the server cuts takes several calls. More
    /// than 100,000 users, or 64 MiB, are an error of kind ``AppNetError/Kind/brokenList``.
    ///
    /// To read it page by page, use ``mutedUsers(by:parameters:)``.
    ///
    /// `GET users/{user}/muted`; a user token for ``AppNetID/me``, or an app token for any user who authorized the app.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func muted(
        by user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.wholeList(CallRequest(.mutedUsers, ["user": user.text], parameters))
    }

    /// Returns the users that a user has muted, as a list in pages.
    ///
    /// App.net returns the whole list as one page. A server that limits the size of a response cuts it, and continues it
    /// in further pages. The pagination ids are not user ids.
    ///
    /// `GET users/{user}/muted`; a user token for ``AppNetID/me``, or an app token for any user who authorized the app.
    public func mutedUsers(
        by user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.mutedUsers, ["user": user.text], parameters))
    }

    /// Returns all users that a user has blocked. A list that the server cuts takes several calls. More
    /// than 100,000 users, or 64 MiB, are an error of kind ``AppNetError/Kind/brokenList``.
    ///
    /// To read it page by page, use ``blockedUsers(by:parameters:)``.
    ///
    /// `GET users/{user}/blocked`; a user token for ``AppNetID/me``, or an app token for any user who authorized the
    /// app.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func blocked(
        by user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetUser] {
        try await client.wholeList(CallRequest(.blockedUsers, ["user": user.text], parameters))
    }

    /// Returns the users that a user has blocked, as a list in pages.
    ///
    /// App.net returns the whole list as one page. A server that limits the size of a response cuts it, and continues it
    /// in further pages. The pagination ids are not user ids.
    ///
    /// `GET users/{user}/blocked`; a user token for ``AppNetID/me``, or an app token for any user who authorized the app.
    public func blockedUsers(
        by user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.blockedUsers, ["user": user.text], parameters))
    }

    /// Returns the ids of the users that users have muted, by user. More than 200 ids are split over several calls.
    ///
    /// `GET users/muted/ids?ids=`; an app token. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func mutedIDs(by users: [AppNetUser.ID]) async throws -> [AppNetUser.ID: [AppNetUser.ID]] {
        try await client.elementsByID(users, CallRequest(.mutedUserIDs))
    }

    /// Returns the ids of the users that users have blocked, by user. More than 200 ids are split over several calls.
    ///
    /// `GET users/blocked/ids?ids=`; an app token. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func blockedIDs(by users: [AppNetUser.ID]) async throws -> [AppNetUser.ID: [AppNetUser.ID]] {
        try await client.elementsByID(users, CallRequest(.blockedUserIDs))
    }
}
