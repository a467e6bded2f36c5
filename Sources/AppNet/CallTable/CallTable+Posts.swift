// §2.7–§2.10, §2.12.
extension CallSpecification {
    // MARK: Posts

    static let createPost = Self("posts.create", .post("posts"), .user, scopes: [.writePost], "Post")
    static let post = Self("posts.get", .get("posts/:post"), .none, "Post")
    static let deletePost = Self("posts.delete", .delete("posts/:post"), .user, scopes: [.writePost], "Post")
    static let postsByID = Self("posts.byIDs", .get("posts", query: "ids"), .any, "[Post]")
    static let postsOfUser = Self(
        "posts.ofUser",
        .get("users/:user/posts"),
        .none,
        "[Post]",
        pages: true,
        subscribable: true
    )
    static let starredPosts = Self(
        "posts.starred",
        .get("users/:user/stars"),
        pnut: .at(.get("users/:user/bookmarks")),
        .none,
        "[Post]",
        pages: true
    )
    static let mentions = Self(
        "posts.mentions",
        .get("users/:user/mentions"),
        .any,
        "[Post]",
        pages: true,
        subscribable: true
    )
    static let replies = Self(
        "posts.replies",
        .get("posts/:post/replies"),
        pnut: .at(.get("posts/:post/thread")),
        .any,
        "[Post]",
        pages: true,
        subscribable: true
    )
    static let taggedPosts = Self(
        "posts.tagged",
        .get("posts/tag/:hashtag"),
        pnut: .at(.get("posts/tags/:hashtag")),
        .none,
        "[Post]",
        pages: true
    )
    static let personalStream = Self(
        "posts.personalStream",
        .get("posts/stream"),
        pnut: .at(.get("posts/streams/me")),
        .user,
        scopes: [.stream],
        "[Post]",
        pages: true,
        subscribable: true
    )
    static let unifiedStream = Self(
        "posts.unifiedStream",
        .get("posts/stream/unified"),
        pnut: .at(.get("posts/streams/unified")),
        .user,
        scopes: [.stream],
        "[Post]",
        pages: true,
        subscribable: true
    )
    static let globalStream = Self(
        "posts.globalStream",
        .get("posts/stream/global"),
        pnut: .at(.get("posts/streams/global")),
        .none,
        "[Post]",
        pages: true
    )
    static let starPost = Self(
        "posts.star",
        .post("posts/:post/star"),
        pnut: .at(.put("posts/:post/bookmark")),
        .user,
        scopes: [.writePost],
        "Post"
    )
    static let unstarPost = Self(
        "posts.unstar",
        .delete("posts/:post/star"),
        pnut: .at(.delete("posts/:post/bookmark")),
        .user,
        scopes: [.writePost],
        "Post"
    )
    static let repost = Self(
        "posts.repost",
        .post("posts/:post/repost"),
        pnut: .at(.put("posts/:post/repost")),
        .user,
        scopes: [.writePost],
        "Post"
    )
    static let undoRepost = Self(
        "posts.undoRepost",
        .delete("posts/:post/repost"),
        .user,
        scopes: [.writePost],
        "Post"
    )
    static let reportPost = Self("posts.report", .post("posts/:post/report"), .user, "Post")

    // MARK: Places, interactions, explore streams

    static let place = Self("places.get", .get("places/:place"), pnut: .none, .any, "Place")
    static let searchPlaces = Self(
        "places.search",
        .get("places/search", query: "latitude"),
        pnut: .none,
        .user,
        "[Place]"
    )
    static let interactions = Self(
        "interactions.list",
        .get("users/me/interactions"),
        .user,
        "[Interaction]",
        pages: true
    )
    static let exploreStreams = Self(
        "explore.list",
        .get("posts/stream/explore"),
        pnut: .at(.get("posts/streams/explore")),
        .none,
        "[ExploreStream]"
    )
    static let exploreStream = Self(
        "explore.posts",
        .get("posts/stream/explore/:slug"),
        pnut: .at(.get("posts/streams/explore/:slug")),
        .none,
        "[Post]",
        pages: true
    )

    // MARK: Search

    static let searchPosts = Self("search.posts", .get("posts/search"), .any, "[Post]", pages: true)
    static let searchMessages = Self(
        "search.messages",
        .get("channels/messages/search", query: "channel_ids"),
        .any,
        scopes: CallTable.messageScopes,
        "[Message]",
        pages: true
    )
    static let searchChannels = Self(
        "search.channels",
        .get("channels/search"),
        .user,
        scopes: CallTable.messageScopes,
        "[Channel]",
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
