internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// Calls that App.net never had (§6.2), by their paths below `/v1`.
    static let pnutRoutes: [AppNetRoute] = [
        pnutOwn(.get, "users/me/channels/num_unread", scopes: [.messages]) {
            try PnutChannelHandlers($0).countUnreadByType()
        },
        pnutOwn(.delete, "users/me/channels/num_unread", scopes: [.messages]) {
            try PnutChannelHandlers($0).markReadByType()
        },
        pnutOwn(.get, "users/me/channels/existing_pm", scopes: messageScopes) {
            try PnutChannelHandlers($0).readPrivate()
        },
        pnutOwn(.put, "channels/{channel}/owner", scopes: messageScopes) { try PnutChannelHandlers($0).giveAway() },
        pnutOwn(.post, "channels/{channel}/messages", scopes: messageScopes) { try PnutMessageHandlers($0).create() },
        pnutOwn(.delete, "channels/{channel}/messages/{message}", scopes: messageScopes) {
            try PnutMessageHandlers($0).delete()
        },
        pnutOwn(.get, "channels/{channel}/sticky_messages", access: .varies, scopes: messageScopes, isPaginated: true) {
            try PnutMessageHandlers($0).listSticky()
        },
        pnutOwn(
            .get,
            "channels/{channel}/messages/{message}/thread",
            access: .varies,
            scopes: messageScopes,
            isPaginated: true
        ) { try PnutMessageHandlers($0).listThread() },
        pnutOwn(.post, "channels/{channel}/messages/{message}/report", scopes: messageScopes) {
            try PnutMessageHandlers($0).report()
        },
        pnutOwn(.put, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) {
            try PnutMessageHandlers($0).setSticky(true)
        },
        pnutOwn(.delete, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) {
            try PnutMessageHandlers($0).setSticky(false)
        },
        pnutOwn(.post, "posts", scopes: [.writePost]) { try PnutPostHandlers($0).create() },
        pnutOwn(.put, "posts/{id}", scopes: [.writePost]) { try PnutPostHandlers($0).revise() },
        pnutOwn(.get, "posts/{id}/revisions", access: .none) { try PnutPostHandlers($0).listRevisions() },
        pnutOwn(.put, "posts/{id}/repost", scopes: [.writePost]) { try PnutPostHandlers($0).repost() },
        pnutOwn(.put, "posts/{id}/bookmark", scopes: [.writePost]) { try BookmarkHandlers($0).set() },
        pnutOwn(.get, "users/{user}/bookmarks", access: .none, isPaginated: true) { try BookmarkHandlers($0).list() },
        pnutOwn(.get, "posts/tags/{hashtag}", access: .none, isPaginated: true) {
            try PnutPostHandlers($0).listTagged()
        },
        pnutOwn(.get, "posts/{id}/interactions", access: .any, isPaginated: true) {
            try PnutPostHandlers($0).listInteractions()
        },
        pnutOwn(.delete, "files", scopes: [.files]) { try PnutServiceHandlers($0).deleteFiles() },
        pnutOwn(.get, "sys/ops/{uuid}") { try PnutServiceHandlers($0).readOperation() },
        pnutOwn(.get, "sys/stats", access: .none) { try PnutServiceHandlers($0).readStatistics() },
        pnutOwn(.get, "users/suggested") { try PnutServiceHandlers($0).suggestUsers() },
        pnutOwn(.delete, "users/me/avatar", scopes: [.updateProfile]) { try UserImageHandlers($0).remove(.avatar) },
        pnutOwn(.delete, "users/me/cover", scopes: [.updateProfile]) { try UserImageHandlers($0).remove(.cover) },
        pnutOwn(.get, "badges", access: .none) { _ in .data(.array(PnutBadges.all)) },
        pnutOwn(.get, "badges/{badge}", access: .none) { .data(try PnutBadges.badge($0.segment("badge"))) },
        pnutOwn(.get, "users/me/badges") { _ in .data(.array([])) },
    ]

    /// Presence, clients, explore streams and embedding (AppNet.md §6.2).
    static let pnutServiceRoutes: [AppNetRoute] = [
        pnutOwn(.get, "presence") { try PresenceHandlers($0).list() },
        pnutOwn(.get, "users/{user}/presence") { try PresenceHandlers($0).read() },
        pnutOwn(.put, "users/me/presence", scopes: [.presence]) { try PresenceHandlers($0).set() },
        pnutOwn(.get, "channels/{channel}/presence", scopes: messageScopes) {
            try PresenceHandlers($0).listInChannel()
        },
        pnutOwn(.get, "users/{user}/presence/channels/{channel}", scopes: messageScopes) {
            try PresenceHandlers($0).readInChannel()
        },
        pnutOwn(.put, "users/me/presence/channels/{channel}", scopes: messageScopes) {
            try PresenceHandlers($0).setInChannel()
        },
        pnutOwn(.get, "users/{user}/clients", access: .any) { try ClientHandlers($0).list() },
        pnutOwn(.get, "clients/{client}", access: .any) { try ClientHandlers($0).read() },
        pnutOwn(.get, "channels/streams/explore", access: .none) { ChannelExploreHandlers($0).list() },
        pnutOwn(.get, "channels/streams/explore/{slug}", access: .none, isPaginated: true) {
            try ChannelExploreHandlers($0).read()
        },
        pnutOwn(.get, "oembed", access: .none) { try EmbeddingHandlers($0).read() },
        // Stores nothing.
        pnutOwn(.post, "streams/{id}/test", access: .app) { try AppStreamHandlers($0).test() }.with {
            $0.writes = false
        },
    ]

    /// A call below `/v1` that App.net has not.
    static func pnutOwn(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: AppNetAccess = .user,
        scopes: Set<AppNetScope> = [],
        isPaginated: Bool = false,
        handler: @escaping @Sendable (AppNetContext) throws -> AppNetAnswer
    ) -> AppNetRoute {
        AppNetRoute(
            method,
            path,
            access,
            area: .pnut,
            scopes: scopes,
            isPaginated: isPaginated,
            handler: handler
        )
    }
}
