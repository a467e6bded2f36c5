internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// Calls that App.net never had (§6.2), by their paths below `/v1`.
    static let pnutRoutes: [AppNetRoute] = [
        pnutOwn(.get, "users/me/channels/num_unread", scopes: [.messages]) { try $0.countUnreadByType() },
        pnutOwn(.delete, "users/me/channels/num_unread", scopes: [.messages]) { try $0.markTypesRead() },
        pnutOwn(.get, "users/me/channels/existing_pm", scopes: messageScopes) { try $0.existingPrivateChannel() },
        pnutOwn(.put, "channels/{channel}/owner", scopes: messageScopes) { try $0.giveChannelAway() },
        pnutOwn(.post, "channels/{channel}/messages", scopes: messageScopes) { try $0.createMessageAndMarker() },
        pnutOwn(.delete, "channels/{channel}/messages/{message}", scopes: messageScopes) { try $0.deleteAnyMessage() },
        pnutOwn(.get, "channels/{channel}/sticky_messages", access: .varies, scopes: messageScopes, isPaginated: true) {
            try $0.listStickyMessages()
        },
        pnutOwn(
            .get,
            "channels/{channel}/messages/{message}/thread",
            access: .varies,
            scopes: messageScopes,
            isPaginated: true
        ) { try $0.listThread() },
        pnutOwn(.post, "channels/{channel}/messages/{message}/report", scopes: messageScopes) {
            try $0.reportMessage()
        },
        pnutOwn(.put, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) { try $0.setSticky(true) },
        pnutOwn(.delete, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) {
            try $0.setSticky(false)
        },
        pnutOwn(.post, "posts", scopes: [.writePost]) { try $0.createPnutPost() },
        pnutOwn(.put, "posts/{id}", scopes: [.writePost]) { try $0.revisePost() },
        pnutOwn(.get, "posts/{id}/revisions", access: .none) { try $0.listRevisions() },
        pnutOwn(.put, "posts/{id}/repost", scopes: [.writePost]) { try $0.pnutRepost() },
        pnutOwn(.put, "posts/{id}/bookmark", scopes: [.writePost]) { try $0.bookmarkPost() },
        pnutOwn(.get, "users/{user}/bookmarks", access: .none, isPaginated: true) { try $0.listBookmarks() },
        pnutOwn(.get, "posts/tags/{hashtag}", access: .none, isPaginated: true) { try $0.listPnutTaggedPosts() },
        pnutOwn(.get, "posts/{id}/interactions", access: .any, isPaginated: true) { try $0.listPostInteractions() },
        pnutOwn(.delete, "files", scopes: [.files]) { try $0.deleteFiles() },
        pnutOwn(.get, "sys/ops/{uuid}") { try $0.readOperation() },
        pnutOwn(.get, "sys/stats", access: .none) { try $0.readStatistics() },
        pnutOwn(.get, "users/suggested") { try $0.suggestUsers() },
        pnutOwn(.delete, "users/me/avatar", scopes: [.updateProfile]) { try $0.removeImage(.avatar) },
        pnutOwn(.delete, "users/me/cover", scopes: [.updateProfile]) { try $0.removeImage(.cover) },
        pnutOwn(.get, "badges", access: .none) { _ in .data(.array(PnutBadges.all)) },
        pnutOwn(.get, "badges/{badge}", access: .none) { .data(try PnutBadges.badge($0.segment("badge"))) },
        pnutOwn(.get, "users/me/badges") { _ in .data(.array([])) },
    ]

    /// Presence, clients, explore streams and embedding (AppNet.md §6.2).
    static let pnutServiceRoutes: [AppNetRoute] = [
        pnutOwn(.get, "presence") { try $0.listPresence() },
        pnutOwn(.get, "users/{user}/presence") { try $0.readPresence() },
        pnutOwn(.put, "users/me/presence", scopes: [.presence]) { try $0.setPresence() },
        pnutOwn(.get, "channels/{channel}/presence", scopes: messageScopes) { try $0.listChannelPresence() },
        pnutOwn(.get, "users/{user}/presence/channels/{channel}", scopes: messageScopes) {
            try $0.readChannelPresence()
        },
        pnutOwn(.put, "users/me/presence/channels/{channel}", scopes: messageScopes) { try $0.setChannelPresence() },
        pnutOwn(.get, "users/{user}/clients", access: .any) { try $0.listClients() },
        pnutOwn(.get, "clients/{client}", access: .any) { try $0.readClient() },
        pnutOwn(.get, "channels/streams/explore", access: .none) { $0.listChannelExploreStreams() },
        pnutOwn(.get, "channels/streams/explore/{slug}", access: .none, isPaginated: true) {
            try $0.exploreChannels()
        },
        pnutOwn(.get, "oembed", access: .none) { try $0.embed() },
        // Stores nothing.
        pnutOwn(.post, "streams/{id}/test", access: .app) { try $0.testAppStream() }.with { $0.writes = false },
    ]

    /// A call below `/v1` that App.net has not.
    static func pnutOwn(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: AppNetAccess = .user,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        handler: @escaping @Sendable (AppNetCall) throws -> AppNetAnswer
    ) -> AppNetRoute {
        AppNetRoute(
            method,
            path: path,
            area: .pnut,
            access: access,
            scopes: scopes,
            isPaginated: isPaginated,
            handler: handler
        )
    }
}
