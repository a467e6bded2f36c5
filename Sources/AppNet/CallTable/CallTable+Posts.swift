// The calls of Docs/Protocols/AppNet.md §2.7 to §2.10 and §2.12.
extension CallSpecification {
    // MARK: Posts

    static let createPost = Self("posts.create", .post("posts"), .user, scopes: [.writePost], returns: Post.self)
    static let post = Self("posts.get", .get("posts/:post"), .none, returns: Post.self)
    static let deletePost = Self(
        "posts.delete",
        .delete("posts/:post"),
        .user,
        scopes: [.writePost],
        returns: Post.self
    )
    static let postsByID = Self("posts.byIDs", .get("posts", query: "ids"), .any, returns: [Post].self)
    static let postsOfUser = Self(
        "posts.ofUser",
        .get("users/:user/posts"),
        .none,
        returns: [Post].self,
        pages: true,
        subscribable: true
    )
    static let starredPosts = Self(
        "posts.starred",
        .get("users/:user/stars"),
        pnut: .at(.get("users/:user/bookmarks")),
        .none,
        returns: [Post].self,
        pages: true
    )
    static let mentions = Self(
        "posts.mentions",
        .get("users/:user/mentions"),
        .any,
        returns: [Post].self,
        pages: true,
        subscribable: true
    )
    static let replies = Self(
        "posts.replies",
        .get("posts/:post/replies"),
        pnut: .at(.get("posts/:post/thread")),
        .any,
        returns: [Post].self,
        pages: true,
        subscribable: true
    )
    static let taggedPosts = Self(
        "posts.tagged",
        .get("posts/tag/:hashtag"),
        pnut: .at(.get("posts/tags/:hashtag")),
        .none,
        returns: [Post].self,
        pages: true
    )
    static let personalStream = Self(
        "posts.personalStream",
        .get("posts/stream"),
        pnut: .at(.get("posts/streams/me")),
        .user,
        scopes: [.stream],
        returns: [Post].self,
        pages: true,
        subscribable: true
    )
    static let unifiedStream = Self(
        "posts.unifiedStream",
        .get("posts/stream/unified"),
        pnut: .at(.get("posts/streams/unified")),
        .user,
        scopes: [.stream],
        returns: [Post].self,
        pages: true,
        subscribable: true
    )
    static let globalStream = Self(
        "posts.globalStream",
        .get("posts/stream/global"),
        pnut: .at(.get("posts/streams/global")),
        .none,
        returns: [Post].self,
        pages: true
    )
    static let starPost = Self(
        "posts.star",
        .post("posts/:post/star"),
        pnut: .at(.put("posts/:post/bookmark")),
        .user,
        scopes: [.writePost],
        returns: Post.self
    )
    static let unstarPost = Self(
        "posts.unstar",
        .delete("posts/:post/star"),
        pnut: .at(.delete("posts/:post/bookmark")),
        .user,
        scopes: [.writePost],
        returns: Post.self
    )
    static let repost = Self(
        "posts.repost",
        .post("posts/:post/repost"),
        pnut: .at(.put("posts/:post/repost")),
        .user,
        scopes: [.writePost],
        returns: Post.self
    )
    static let undoRepost = Self(
        "posts.undoRepost",
        .delete("posts/:post/repost"),
        .user,
        scopes: [.writePost],
        returns: Post.self
    )
    static let reportPost = Self("posts.report", .post("posts/:post/report"), .user, returns: Post.self)

    // MARK: Places, interactions, explore streams

    static let place = Self("places.get", .get("places/:place"), pnut: .none, .any, returns: Place.self)
    static let searchPlaces = Self(
        "places.search",
        .get("places/search", query: "latitude"),
        pnut: .none,
        .user,
        returns: [Place].self
    )
    static let interactions = Self(
        "interactions.list",
        .get("users/me/interactions"),
        .user,
        returns: [Interaction].self,
        pages: true
    )
    static let exploreStreams = Self(
        "explore.list",
        .get("posts/stream/explore"),
        pnut: .at(.get("posts/streams/explore")),
        .none,
        returns: [ExploreStream].self
    )
    static let exploreStream = Self(
        "explore.posts",
        .get("posts/stream/explore/:slug"),
        pnut: .at(.get("posts/streams/explore/:slug")),
        .none,
        returns: [Post].self,
        pages: true
    )

    // MARK: Search

    static let searchPosts = Self("search.posts", .get("posts/search"), .any, returns: [Post].self, pages: true)
    static let searchMessages = Self(
        "search.messages",
        .get("channels/messages/search", query: "channel_ids"),
        .any,
        scopes: CallTable.messageScopes,
        returns: [Message].self,
        pages: true
    )
    static let searchChannels = Self(
        "search.channels",
        .get("channels/search"),
        .user,
        scopes: CallTable.messageScopes,
        returns: [AppNetChannel].self,
        pages: true
    )
}

extension CallTable {
    static let posts: [CallSpecification] = [
        .createPost, .post, .deletePost, .postsByID, .postsOfUser, .starredPosts, .mentions, .replies, .taggedPosts,
        .personalStream, .unifiedStream, .globalStream, .starPost, .unstarPost, .repost, .undoRepost, .reportPost,
    ]

    static let places: [CallSpecification] = [.place, .searchPlaces]
    static let interactions: [CallSpecification] = [.interactions]
    static let explore: [CallSpecification] = [.exploreStreams, .exploreStream]
    static let search: [CallSpecification] = [.searchPosts, .searchMessages, .searchChannels]
}
