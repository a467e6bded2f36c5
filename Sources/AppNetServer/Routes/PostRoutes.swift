internal import HTTPTypes

extension AppNetRoutes {
    /// Posts, stars and reposts (§2.7), the streams that the service picks (§2.10), and the search (§2.12).
    static let postRoutes: [AppNetRoute] = [
        AppNetRoute(.post, "posts", .user, scopes: [.writePost]) { try PostHandlers($0).create() },
        AppNetRoute(.get, "posts", .any) { try PostHandlers($0).readMany() },
        AppNetRoute(.get, "posts/{id}", .none) { try PostHandlers($0).read() },
        AppNetRoute(.delete, "posts/{id}", .user, scopes: [.writePost]) { try PostHandlers($0).delete() },
        AppNetRoute(.get, "users/{user}/posts", .none, isPaginated: true) { try PostStreamHandlers($0).listOfUser() },
        AppNetRoute(.get, "users/{user}/stars", .none, isPaginated: true) { try PostStreamHandlers($0).listStarred() },
        AppNetRoute(.get, "users/{user}/mentions", .any, isPaginated: true) {
            try PostStreamHandlers($0).listMentions()
        },
        AppNetRoute(.get, "posts/{id}/replies", .any, isPaginated: true) { try PostStreamHandlers($0).listThread() },
        AppNetRoute(.get, "posts/tag/{hashtag}", .none, isPaginated: true) { try PostStreamHandlers($0).listTagged() },
        AppNetRoute(.get, "posts/stream", .user, scopes: [.stream], isPaginated: true) {
            try PostStreamHandlers($0).listPersonal(includesMentions: false)
        },
        AppNetRoute(.get, "posts/stream/unified", .user, scopes: [.stream], isPaginated: true) {
            try PostStreamHandlers($0).listPersonal(includesMentions: true)
        },
        AppNetRoute(.get, "posts/stream/global", .none, isPaginated: true) { try PostStreamHandlers($0).listGlobal() },
        AppNetRoute(.post, "posts/{id}/star", .user, scopes: [.writePost]) {
            try PostReactionHandlers($0).setStar(true)
        },
        AppNetRoute(.delete, "posts/{id}/star", .user, scopes: [.writePost]) {
            try PostReactionHandlers($0).setStar(false)
        },
        AppNetRoute(.post, "posts/{id}/repost", .user, scopes: [.writePost]) { try PostReactionHandlers($0).repost() },
        AppNetRoute(.delete, "posts/{id}/repost", .user, scopes: [.writePost]) {
            try PostReactionHandlers($0).deleteRepost()
        },
        AppNetRoute(.post, "posts/{id}/report", .user) { try PostReactionHandlers($0).report() },
        AppNetRoute(.get, "posts/{id}/stars", .any, isPaginated: true) { try PostReactionHandlers($0).listStarrers() },
        AppNetRoute(.get, "posts/{id}/reposters", .any, isPaginated: true) {
            try PostReactionHandlers($0).listReposters()
        },
        AppNetRoute(.get, "posts/stream/explore", .none) { PostStreamHandlers($0).listExplore() },
        AppNetRoute(.get, "posts/stream/explore/{slug}", .none, isPaginated: true) {
            try PostStreamHandlers($0).readExplore()
        },
        AppNetRoute(.get, "posts/search", .any, isPaginated: true) { try SearchHandlers($0).searchPosts() },
    ]
}
