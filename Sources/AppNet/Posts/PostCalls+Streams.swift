internal import HeliumCore

// Lists of posts. Their pagination ids are post ids.
extension PostCalls {
    /// Returns the posts of a user. A user stream can subscribe to the list of the token's user.
    ///
    /// `GET users/{user}/posts`; no token needed.
    public func authored(
        by user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.postsOfUser, ["user": user.text], parameters))
    }

    /// Returns the posts that a user has starred.
    ///
    /// `GET users/{user}/stars`; no token needed. pnut.io: `users/{user}/bookmarks`.
    public func starred(
        by user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.starredPosts, ["user": user.text], parameters))
    }

    /// Returns the posts that mention a user. A user stream can subscribe to the list of the token's user.
    ///
    /// `GET users/{user}/mentions`; any token.
    public func mentions(
        of user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.mentions, ["user": user.text], parameters))
    }

    /// Returns the complete thread of any of its posts. A user stream can subscribe to this list.
    ///
    /// `GET posts/{id}/replies`; any token. pnut.io: `posts/{id}/thread`.
    public func thread(of id: Post.ID, parameters: GeneralParameters = GeneralParameters()) -> PagedList<Post> {
        client.list(CallRequest(.replies, ["post": id.text], parameters))
    }

    /// Returns the posts with a hashtag.
    ///
    /// `GET posts/tag/{hashtag}`; no token needed. pnut.io: `posts/tags/{tag}`.
    ///
    /// - Parameters:
    ///   - hashtag: The hashtag, with or without `#`.
    ///   - parameters: The optional members of the response.
    public func tagged(
        _ hashtag: String,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        let name = hashtag.hasPrefix("#") ? String(hashtag.dropFirst()) : hashtag
        return client.list(CallRequest(.taggedPosts, ["hashtag": name], parameters))
    }

    /// Returns the posts of the token's user and of the users that the user follows. A user stream can subscribe to
    /// this list.
    ///
    /// `GET posts/stream`; a user token with `stream`. pnut.io: `posts/streams/me`.
    ///
    /// - Parameters:
    ///   - hasPhoto: Whether to return only posts with a photo.
    ///   - parameters: The optional members of the response.
    public func personalStream(
        hasPhoto: Bool = false,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.personalStream, query: Self.facet(hasPhoto), parameters))
    }

    /// Returns the personal stream, together with the posts that mention the user. A user stream can subscribe to this
    /// list.
    ///
    /// `GET posts/stream/unified`; a user token with `stream`. pnut.io: `posts/streams/unified`.
    ///
    /// - Parameters:
    ///   - hasPhoto: Whether to return only posts with a photo.
    ///   - parameters: The optional members of the response.
    public func unifiedStream(
        hasPhoto: Bool = false,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.unifiedStream, query: Self.facet(hasPhoto), parameters))
    }

    /// Returns the posts of all users, without those of bots and without reposts.
    ///
    /// `GET posts/stream/global`; no token needed. pnut.io: `posts/streams/global`.
    public func globalStream(parameters: GeneralParameters = GeneralParameters()) -> PagedList<Post> {
        client.list(CallRequest(.globalStream, parameters))
    }

    private static func facet(_ hasPhoto: Bool) -> QueryParameters {
        hasPhoto ? ["has_oembed_photo": "1"] : QueryParameters()
    }
}
