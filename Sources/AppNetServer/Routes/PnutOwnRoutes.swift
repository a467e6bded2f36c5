internal import HTTPTypes
internal import HeliumJSON

extension AppNetRoutes {
    /// The calls that App.net did not have, by their paths below `/v1` (Docs/Protocols/AppNet.md §6.2).
    static let pnutRoutes = (pnutCalls + pnutServiceCalls + pollCalls).with { $0.area = .pnut }

    private static let pnutCalls: [AppNetRoute] = [
        AppNetRoute(.get, "users/me/channels/num_unread", scopes: [.messages]) {
            try PnutChannelHandlers($0).countUnreadByType()
        },
        AppNetRoute(.delete, "users/me/channels/num_unread", scopes: [.messages]) {
            try PnutChannelHandlers($0).markReadByType()
        },
        AppNetRoute(.get, "users/me/channels/existing_pm", scopes: messageScopes, by: PnutChannelHandlers.readPrivate),
        AppNetRoute(.put, "channels/{channel}/owner", scopes: messageScopes, by: PnutChannelHandlers.giveAway),
        AppNetRoute(.post, "channels/{channel}/messages", scopes: messageScopes, by: PnutMessageHandlers.create),
        AppNetRoute(.delete, "channels/{channel}/messages/{message}", scopes: messageScopes) {
            try PnutMessageHandlers($0).delete()
        },
        AppNetRoute(.get, "channels/{channel}/sticky_messages", .varies, scopes: messageScopes, isPaginated: true) {
            try PnutMessageHandlers($0).listSticky()
        },
        AppNetRoute(.get, "channels/{channel}/messages/{message}/thread", .varies, isPaginated: true) {
            try PnutMessageHandlers($0).listThread()
        }.with { $0.scopes = messageScopes },
        AppNetRoute(.post, "channels/{channel}/messages/{message}/report", scopes: messageScopes) {
            try PnutMessageHandlers($0).report()
        },
        AppNetRoute(.put, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) {
            try PnutMessageHandlers($0).setSticky(true)
        },
        AppNetRoute(.delete, "channels/{channel}/messages/{message}/sticky", scopes: messageScopes) {
            try PnutMessageHandlers($0).setSticky(false)
        },
        AppNetRoute(.post, "posts", scopes: [.writePost], by: PnutPostHandlers.create),
        AppNetRoute(.put, "posts/{id}", scopes: [.writePost], by: PnutPostHandlers.revise),
        AppNetRoute(.get, "posts/{id}/revisions", .none, by: PnutPostHandlers.listRevisions),
        AppNetRoute(.put, "posts/{id}/repost", scopes: [.writePost], by: PnutPostHandlers.repost),
        AppNetRoute(.put, "posts/{id}/bookmark", scopes: [.writePost], by: BookmarkHandlers.set),
        AppNetRoute(.get, "users/{user}/bookmarks", .none, isPaginated: true, by: BookmarkHandlers.list),
        AppNetRoute(.get, "posts/tags/{hashtag}", .none, isPaginated: true, by: PnutPostHandlers.listTagged),
        AppNetRoute(.get, "posts/{id}/interactions", .any, isPaginated: true, by: PnutPostHandlers.listInteractions),
        AppNetRoute(.delete, "files", scopes: [.files], by: PnutServiceHandlers.deleteFiles),
        AppNetRoute(.get, "sys/ops/{uuid}", by: PnutServiceHandlers.readOperation),
        AppNetRoute(.get, "sys/stats", .none, by: PnutServiceHandlers.readStatistics),
        AppNetRoute(.get, "users/suggested", by: PnutServiceHandlers.suggestUsers),
        AppNetRoute(.delete, "users/me/avatar", scopes: [.updateProfile]) { try UserImageHandlers($0).remove(.avatar) },
        AppNetRoute(.delete, "users/me/cover", scopes: [.updateProfile]) { try UserImageHandlers($0).remove(.cover) },
        AppNetRoute(.get, "badges", .none) { _ in .data(.array(PnutBadges.all)) },
        AppNetRoute(.get, "badges/{badge}", .none) { .data(try PnutBadges.badge($0.segment("badge"))) },
        AppNetRoute(.get, "users/me/badges") { _ in .data(.array([])) },
    ]

    /// The calls for presence, clients, explore streams and embedding (Docs/Protocols/AppNet.md §6.2).
    private static let pnutServiceCalls: [AppNetRoute] = [
        AppNetRoute(.get, "presence", by: PresenceHandlers.list),
        AppNetRoute(.get, "users/{user}/presence", by: PresenceHandlers.read),
        AppNetRoute(.put, "users/me/presence", scopes: [.presence], by: PresenceHandlers.set),
        AppNetRoute(.get, "channels/{channel}/presence", scopes: messageScopes, by: PresenceHandlers.list),
        AppNetRoute(.get, "users/{user}/presence/channels/{channel}", scopes: messageScopes, by: PresenceHandlers.read),
        AppNetRoute(.put, "users/me/presence/channels/{channel}", scopes: messageScopes, by: PresenceHandlers.set),
        AppNetRoute(.get, "users/{user}/clients", .any, by: ClientHandlers.list),
        AppNetRoute(.get, "clients/{client}", .any, by: ClientHandlers.read),
        AppNetRoute(.get, "channels/streams/explore", .none, by: ChannelExploreHandlers.list),
        AppNetRoute(.get, "channels/streams/explore/{slug}", .none, isPaginated: true, by: ChannelExploreHandlers.read),
        AppNetRoute(.get, "oembed", .none, by: EmbeddingHandlers.read),
        // The test does not store anything.
        AppNetRoute(.post, "streams/{id}/test", .app, by: AppStreamHandlers.test),
    ]
}
