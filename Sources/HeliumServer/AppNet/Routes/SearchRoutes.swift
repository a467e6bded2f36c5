internal import HTTPTypes

extension AppNetRoutes {
    /// Searches of posts, messages and channels (§2.12).
    static let searchRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "posts/search", access: .any, isPaginated: true) { try $0.searchPosts() }
    ]
}
