internal import HTTPTypes

extension AppNetRoutes {
    /// Posts, stars and reposts (§2.7).
    static let postRoutes: [AppNetRoute] = [
        AppNetRoute(.post, path: "posts", access: .user, scopes: [.writePost]) { try $0.createPost() },
        AppNetRoute(.get, path: "posts", access: .any) { try $0.postsByID() },
        AppNetRoute(.get, path: "posts/{id}", access: .none) { .data(try $0.renderer.post($0.post())) },
        AppNetRoute(.delete, path: "posts/{id}", access: .user, scopes: [.writePost]) { try $0.deletePost() },
        AppNetRoute(.get, path: "users/{user}/posts", access: .none, isPaginated: true) { try $0.userPosts() },
        AppNetRoute(.get, path: "users/{user}/stars", access: .none, isPaginated: true) { try $0.starredPosts() },
        AppNetRoute(.get, path: "users/{user}/mentions", access: .any, isPaginated: true) { try $0.mentions() },
        AppNetRoute(.get, path: "posts/{id}/replies", access: .any, isPaginated: true) { try $0.thread() },
        AppNetRoute(.get, path: "posts/tag/{hashtag}", access: .none, isPaginated: true) { try $0.taggedPosts() },
        AppNetRoute(.get, path: "posts/stream", access: .user, scopes: [.stream], isPaginated: true) {
            try $0.personalStream(includesMentions: false)
        },
        AppNetRoute(.get, path: "posts/stream/unified", access: .user, scopes: [.stream], isPaginated: true) {
            try $0.personalStream(includesMentions: true)
        },
        AppNetRoute(.get, path: "posts/stream/global", access: .none, isPaginated: true) { try $0.globalStream() },
        AppNetRoute(.post, path: "posts/{id}/star", access: .user, scopes: [.writePost]) { try $0.setStar(true) },
        AppNetRoute(.delete, path: "posts/{id}/star", access: .user, scopes: [.writePost]) { try $0.setStar(false) },
        AppNetRoute(.post, path: "posts/{id}/repost", access: .user, scopes: [.writePost]) { try $0.repost() },
        AppNetRoute(.delete, path: "posts/{id}/repost", access: .user, scopes: [.writePost]) {
            try $0.deleteRepost()
        },
        AppNetRoute(.post, path: "posts/{id}/report", access: .user) { try $0.reportPost() },
        AppNetRoute(.get, path: "posts/{id}/stars", access: .any, isPaginated: true) { try $0.starrers() },
        AppNetRoute(.get, path: "posts/{id}/reposters", access: .any, isPaginated: true) { try $0.reposters() },
    ]
}
