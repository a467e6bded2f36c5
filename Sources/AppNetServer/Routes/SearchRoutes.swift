internal import HTTPTypes

extension AppNetRoutes {
    /// Searches of posts, messages and channels (§2.12).
    static let searchRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "posts/search", access: .any, isPaginated: true) { try $0.searchPosts() },
        AppNetRoute(
            .get,
            path: "channels/messages/search",
            access: .any,
            scopes: [.messages, .publicMessages],
            isPaginated: true
        ) { try $0.searchMessages() },
        AppNetRoute(
            .get,
            path: "channels/search",
            access: .user,
            scopes: [.messages, .publicMessages],
            isPaginated: true
        ) { try $0.searchChannels() },
    ]
}
