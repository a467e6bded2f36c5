internal import HeliumCore

// Lists of posts. Positions are posts' ids.
extension PostCalls {
    /// A user's posts. A user stream can subscribe to those of the token's user.
    ///
    /// `GET users/{user}/posts`; no token needed.
    public func of(_ user: AppNetUser.ID, _ parameters: GeneralParameters = GeneralParameters()) -> PagedList<Post> {
        client.list(CallRequest(.postsOfUser, ["user": user.text], parameters))
    }

    /// The posts that a user starred.
    ///
    /// `GET users/{user}/stars`; no token needed. pnut.io: `users/{user}/bookmarks`.
    public func starred(
        by user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.starredPosts, ["user": user.text], parameters))
    }

    /// The posts that mention a user. A user stream can subscribe to those of the token's user.
    ///
    /// `GET users/{user}/mentions`; any token.
    public func mentions(
        of user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.mentions, ["user": user.text], parameters))
    }

    /// A post's whole thread, whichever of its posts is named. A user stream can subscribe to it.
    ///
    /// `GET posts/{id}/replies`; any token. pnut.io: `posts/{id}/thread`.
    public func thread(of id: Post.ID, _ parameters: GeneralParameters = GeneralParameters()) -> PagedList<Post> {
        client.list(CallRequest(.replies, ["post": id.text], parameters))
    }

    /// The posts with a hashtag.
    ///
    /// `GET posts/tag/{hashtag}`; no token needed. pnut.io: `posts/tags/{tag}`.
    ///
    /// - Parameters:
    ///   - hashtag: The word, with or without `#`.
    ///   - parameters: What the answer is to have.
    public func tagged(
        _ hashtag: String,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        let name = hashtag.hasPrefix("#") ? String(hashtag.dropFirst()) : hashtag
        return client.list(CallRequest(.taggedPosts, ["hashtag": name], parameters))
    }

    /// The posts of the token's user and of those whom the user follows. A user stream can subscribe to them.
    ///
    /// `GET posts/stream`; a user token with `stream`. pnut.io: `posts/streams/me`.
    ///
    /// - Parameters:
    ///   - hasPhoto: Only posts with a photo.
    ///   - parameters: What the answer is to have.
    public func personalStream(
        hasPhoto: Bool = false,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.personalStream, query: Self.facet(hasPhoto), parameters))
    }

    /// The personal stream and the posts that mention the user. A user stream can subscribe to it.
    ///
    /// `GET posts/stream/unified`; a user token with `stream`. pnut.io: `posts/streams/unified`.
    ///
    /// - Parameters:
    ///   - hasPhoto: Only posts with a photo.
    ///   - parameters: What the answer is to have.
    public func unifiedStream(
        hasPhoto: Bool = false,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.unifiedStream, query: Self.facet(hasPhoto), parameters))
    }

    /// Everybody's posts, without those of bots and without reposts.
    ///
    /// `GET posts/stream/global`; no token needed. pnut.io: `posts/streams/global`.
    public func globalStream(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<Post> {
        client.list(CallRequest(.globalStream, parameters))
    }

    private static func facet(_ hasPhoto: Bool) -> QueryParameters {
        hasPhoto ? ["has_oembed_photo": "1"] : QueryParameters()
    }
}
