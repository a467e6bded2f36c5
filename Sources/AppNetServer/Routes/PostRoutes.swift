internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for posts, stars and reposts (Docs/Protocols/AppNet.md §2.7), for the streams that the service selects
    /// (§2.10), and for the search (§2.12).
    static let postRoutes: [AppNetRoute] = [
        AppNetRoute(.post, "posts", scopes: [.writePost], by: PostHandlers.create),
        AppNetRoute(.get, "posts", .any, by: PostHandlers.readMany),
        AppNetRoute(.get, "posts/{id}", .none, by: PostHandlers.read),
        AppNetRoute(.delete, "posts/{id}", scopes: [.writePost], by: PostHandlers.delete),
        AppNetRoute(.get, "users/{user}/posts", .none, isPaginated: true, by: PostStreamHandlers.listOfUser),
        AppNetRoute(.get, "users/{user}/stars", .none, isPaginated: true, by: PostStreamHandlers.listStarred),
        AppNetRoute(.get, "users/{user}/mentions", .any, isPaginated: true, by: PostStreamHandlers.listMentions),
        AppNetRoute(.get, "posts/{id}/replies", .any, isPaginated: true, by: PostStreamHandlers.listThread),
        AppNetRoute(.get, "posts/tag/{hashtag}", .none, isPaginated: true, by: PostStreamHandlers.listTagged),
        AppNetRoute(.get, "posts/stream", scopes: [.stream], isPaginated: true) {
            try PostStreamHandlers($0).listPersonal(includesMentions: false)
        },
        AppNetRoute(.get, "posts/stream/unified", scopes: [.stream], isPaginated: true) {
            try PostStreamHandlers($0).listPersonal(includesMentions: true)
        },
        AppNetRoute(.get, "posts/stream/global", .none, isPaginated: true, by: PostStreamHandlers.listGlobal),
        AppNetRoute(.post, "posts/{id}/star", scopes: [.writePost]) { try PostReactionHandlers($0).setStar(true) },
        AppNetRoute(.delete, "posts/{id}/star", scopes: [.writePost]) { try PostReactionHandlers($0).setStar(false) },
        AppNetRoute(.post, "posts/{id}/repost", scopes: [.writePost], by: PostReactionHandlers.repost),
        AppNetRoute(.delete, "posts/{id}/repost", scopes: [.writePost], by: PostReactionHandlers.deleteRepost),
        AppNetRoute(.post, "posts/{id}/report", by: PostReactionHandlers.report),
        AppNetRoute(.get, "posts/{id}/stars", .any, isPaginated: true, by: PostReactionHandlers.listStarrers),
        AppNetRoute(.get, "posts/{id}/reposters", .any, isPaginated: true, by: PostReactionHandlers.listReposters),
        AppNetRoute(.get, "posts/stream/explore", .none, by: PostStreamHandlers.listExplore),
        AppNetRoute(.get, "posts/stream/explore/{slug}", .none, isPaginated: true, by: PostStreamHandlers.readExplore),
        AppNetRoute(.get, "posts/search", .any, isPaginated: true, by: SearchHandlers.searchPosts),
    ]
}
