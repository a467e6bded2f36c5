internal import HeliumCore
internal import HeliumJSON

/// The calls for posts (Docs/Protocols/AppNet.md §2.7).
public struct PostCalls: Sendable {
    let client: AppNetClient

    /// Creates a post.
    ///
    /// `POST posts`; a user token with `write_post`.
    ///
    /// - Parameters:
    ///   - post: The post. It has either text of at most 256 code points, or annotations and `isMachineOnly`. It may
    ///     also have entities and the id of the post that it replies to. Members that only the service sets are not
    ///     sent.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func create(_ post: Post, parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try client.check(post)
        return try await client.value(CallRequest(.createPost, body: .object(post.sent()), parameters))
    }

    /// Returns a post.
    ///
    /// `GET posts/{id}`; no token needed.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ id: Post.ID, parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.post, ["post": id.text], parameters))
    }

    /// Returns the posts with the given ids. More than 200 ids are split over several calls.
    ///
    /// `GET posts?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ ids: [Post.ID], parameters: GeneralParameters = GeneralParameters()) async throws -> [Post] {
        try await client.elements(ids, CallRequest(.postsByID, parameters))
    }

    /// Deletes a post.
    ///
    /// `DELETE posts/{id}`; a user token with `write_post`.
    ///
    /// - Returns: The deleted form of the post.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func delete(_ id: Post.ID, parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.deletePost, ["post": id.text], parameters))
    }
}

// MARK: Acting on posts

extension PostCalls {
    /// Stars a post.
    ///
    /// `POST posts/{id}/star`; a user token with `write_post`. pnut.io: `PUT posts/{id}/bookmark`.
    ///
    /// - Parameters:
    ///   - id: The id of the post. Reposts cannot be starred.
    ///   - note: A private note of the user; pnut.io only.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func star(
        _ id: Post.ID,
        note: String? = nil,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Post {
        if note != nil, client.dialect != .pnut {
            throw AppNetError(.unsupportedByDialect, "App.net does not store a note with a star")
        }
        let body = note.map { CallRequest.Body.object(JSONValue.object(["note": .string($0)])) }
        return try await client.value(CallRequest(.starPost, ["post": id.text], body: body, parameters))
    }

    /// Removes a star.
    ///
    /// `DELETE posts/{id}/star`; a user token with `write_post`. pnut.io: `posts/{id}/bookmark`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func unstar(_ id: Post.ID, parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.unstarPost, ["post": id.text], parameters))
    }

    /// Reposts a post.
    ///
    /// `POST posts/{id}/repost`; a user token with `write_post`. pnut.io: `PUT`.
    ///
    /// - Returns: The new post, whose ``Post/repostOf`` is the original post.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func repost(_ id: Post.ID, parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.repost, ["post": id.text], parameters))
    }

    /// Removes a repost.
    ///
    /// `DELETE posts/{id}/repost`; a user token with `write_post`.
    ///
    /// - Returns: The original post.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func undoRepost(
        of id: Post.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Post {
        try await client.value(CallRequest(.undoRepost, ["post": id.text], parameters))
    }

    /// Reports a post to the operators of the service. App.net also mutes its author.
    ///
    /// `POST posts/{id}/report`; a user token.
    ///
    /// - Parameters:
    ///   - id: The id of the post.
    ///   - reason: The reason: `account_type`, `nsfw`, `soliciting` or `user_abuse`. pnut.io requires one.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func report(_ id: Post.ID, reason: String? = nil) async throws {
        let body = reason.map { CallRequest.Body.object(JSONValue.object(["reason": .string($0)])) }
        try await client.perform(CallRequest(.reportPost, ["post": id.text], body: body))
    }

    /// Returns the users who have reposted a post. The pagination ids are not user ids.
    ///
    /// `GET posts/{id}/reposters`; any token. App.net only: on pnut.io use ``interactions(with:kinds:parameters:)``.
    public func reposters(
        of id: Post.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.reposters, ["post": id.text], parameters))
    }

    /// Returns the users who have starred a post. The pagination ids are not user ids.
    ///
    /// `GET posts/{id}/stars`; any token. App.net only: on pnut.io use ``interactions(with:kinds:parameters:)``.
    public func starrers(
        of id: Post.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.starrers, ["post": id.text], parameters))
    }
}

// MARK: pnut.io only (Docs/Protocols/AppNet.md §6.2)

extension PostCalls {
    /// Revises the text of a post. This is possible once, within 300 seconds.
    ///
    /// `PUT posts/{id}`; a user token with `write_post`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func revise(
        _ id: Post.ID,
        _ post: Post,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Post {
        try client.check(post)
        let body = CallRequest.Body.object(post.sent())
        return try await client.value(CallRequest(.revisePost, ["post": id.text], body: body, parameters))
    }

    /// Returns the earlier versions of a revised post.
    ///
    /// `GET posts/{id}/revisions`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func revisions(
        of id: Post.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [Post] {
        try await client.value(CallRequest(.revisions, ["post": id.text], parameters))
    }

    /// Returns the actions of other users on a post.
    ///
    /// `GET posts/{id}/interactions`; no token needed. pnut.io only.
    ///
    /// - Parameters:
    ///   - id: The id of the post.
    ///   - kinds: The kinds of interactions. The default is all.
    ///   - parameters: The optional members of the response.
    public func interactions(
        with id: Post.ID,
        kinds: InteractionKinds = .all,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Interaction> {
        client.list(CallRequest(.postInteractions, ["post": id.text], parameters), of: kinds)
    }
}
