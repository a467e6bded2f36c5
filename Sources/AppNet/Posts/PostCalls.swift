internal import HeliumCore
internal import HeliumJSON

/// The calls of posts (§2.7).
public struct PostCalls: Sendable {
    let client: AppNetClient

    /// Writes a post.
    ///
    /// `POST posts`; a user token with `write_post`.
    ///
    /// - Parameters:
    ///   - post: A text of at most 256 code points, or annotations and `isMachineOnly`; what it replies to, entities.
    ///     Members that only the service sets are not sent.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``, before anything is sent for what the service refuses; `CancellationError`.
    public func create(_ post: Post, _ parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try client.check(post)
        return try await client.value(CallRequest(.createPost, body: .object(post.sent()), parameters))
    }

    /// A post.
    ///
    /// `GET posts/{id}`; no token needed.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: Post.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.post, ["post": id.text], parameters))
    }

    /// The posts that there are under ids. More than 200 take several calls.
    ///
    /// `GET posts?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ ids: [Post.ID], _ parameters: GeneralParameters = GeneralParameters()) async throws -> [Post] {
        try await client.elements(ids, CallRequest(.postsByID, parameters))
    }

    /// Deletes a post.
    ///
    /// `DELETE posts/{id}`; a user token with `write_post`.
    ///
    /// - Returns: What is left of it.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func delete(_ id: Post.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
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
    ///   - id: Which: not a repost.
    ///   - note: A note of the user's own; pnut.io only.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func star(
        _ id: Post.ID,
        note: String? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Post {
        if note != nil, client.dialect != .pnut {
            throw AppNetError(.unsupportedByDialect, "App.net keeps no note with a star")
        }
        let body = note.map { CallRequest.Body.object(JSONValue.object(["note": .string($0)])) }
        return try await client.value(CallRequest(.starPost, ["post": id.text], body: body, parameters))
    }

    /// Takes a star back.
    ///
    /// `DELETE posts/{id}/star`; a user token with `write_post`. pnut.io: `posts/{id}/bookmark`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func unstar(_ id: Post.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.unstarPost, ["post": id.text], parameters))
    }

    /// Reposts a post.
    ///
    /// `POST posts/{id}/repost`; a user token with `write_post`. pnut.io: `PUT`.
    ///
    /// - Returns: The new post, with ``Post/repostOf``.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func repost(_ id: Post.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws -> Post {
        try await client.value(CallRequest(.repost, ["post": id.text], parameters))
    }

    /// Takes a repost back.
    ///
    /// `DELETE posts/{id}/repost`; a user token with `write_post`.
    ///
    /// - Returns: The original.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func undoRepost(
        of id: Post.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Post {
        try await client.value(CallRequest(.undoRepost, ["post": id.text], parameters))
    }

    /// Reports a post to those who run the service; App.net mutes its writer.
    ///
    /// `POST posts/{id}/report`; a user token.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - reason: `account_type`, `nsfw`, `soliciting` or `user_abuse`; pnut.io asks for one.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func report(_ id: Post.ID, reason: String? = nil) async throws {
        let body = reason.map { CallRequest.Body.object(JSONValue.object(["reason": .string($0)])) }
        try await client.perform(CallRequest(.reportPost, ["post": id.text], body: body))
    }

    /// Who reposted a post. Positions are not users' ids.
    ///
    /// `GET posts/{id}/reposters`; any token. App.net only: on pnut.io ``interactions(with:kinds:_:)``.
    public func reposters(
        of id: Post.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.reposters, ["post": id.text], parameters))
    }

    /// Who starred a post. Positions are not users' ids.
    ///
    /// `GET posts/{id}/stars`; any token. App.net only: on pnut.io ``interactions(with:kinds:_:)``.
    public func starrers(
        of id: Post.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.starrers, ["post": id.text], parameters))
    }
}

// MARK: pnut.io only (§6.2)

extension PostCalls {
    /// Revises a post's text, once and within 300 seconds.
    ///
    /// `PUT posts/{id}`; a user token with `write_post`. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func revise(
        _ id: Post.ID,
        _ post: Post,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Post {
        try client.check(post)
        let body = CallRequest.Body.object(post.sent())
        return try await client.value(CallRequest(.revisePost, ["post": id.text], body: body, parameters))
    }

    /// What a post said before it was revised.
    ///
    /// `GET posts/{id}/revisions`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func revisions(
        of id: Post.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [Post] {
        try await client.value(CallRequest(.revisions, ["post": id.text], parameters))
    }

    /// What others did with a post.
    ///
    /// `GET posts/{id}/interactions`; no token needed. pnut.io only.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - kinds: What counts. Default: all.
    ///   - parameters: What the answer is to have.
    public func interactions(
        with id: Post.ID,
        kinds: InteractionKinds = .all,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Interaction> {
        client.list(CallRequest(.postInteractions, ["post": id.text], parameters), of: kinds)
    }
}
