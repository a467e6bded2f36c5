internal import HTTPTypes

extension AppNetRoutes {
    /// The calls for channels (Docs/Protocols/AppNet.md §2.1).
    static let channelRoutes = channelCalls.with { $0.scopes = messageScopes } + unreadRoutes

    private static let channelCalls: [AppNetRoute] = [
        AppNetRoute(.post, "channels", by: ChannelHandlers.create),
        AppNetRoute(.get, "channels", .any, isPaginated: true, by: ChannelListHandlers.list),
        AppNetRoute(.get, "channels/{channel}", .varies, by: ChannelHandlers.read),
        AppNetRoute(.put, "channels/{channel}", by: ChannelHandlers.update),
        AppNetRoute(.patch, "channels/{channel}", by: ChannelHandlers.update),
        AppNetRoute(.delete, "channels/{channel}", by: ChannelHandlers.deactivate),
        AppNetRoute(.get, "users/me/channels", isPaginated: true, by: ChannelListHandlers.listOwn),
        AppNetRoute(.get, "users/me/channels/muted", by: ChannelListHandlers.listMuted),
        AppNetRoute(.post, "channels/{channel}/subscribe") { try SubscriptionHandlers($0).setSubscribed(true) },
        AppNetRoute(.delete, "channels/{channel}/subscribe") { try SubscriptionHandlers($0).setSubscribed(false) },
        AppNetRoute(.post, "channels/{channel}/mute") { try SubscriptionHandlers($0).setMuted(true) },
        AppNetRoute(.delete, "channels/{channel}/mute") { try SubscriptionHandlers($0).setMuted(false) },
        AppNetRoute(.get, "channels/{channel}/subscribers", .varies, isPaginated: true, by: SubscriptionHandlers.list),
        AppNetRoute(.get, "channels/{channel}/subscribers/ids", .varies, by: SubscriptionHandlers.listIDs),
        AppNetRoute(.get, "channels/search", isPaginated: true, by: SearchHandlers.searchChannels),
        AppNetRoute(.get, "channels/subscribers/ids", .varies, by: SubscriptionHandlers.listIDsOfMany),
    ]

    private static let unreadRoutes: [AppNetRoute] = [
        AppNetRoute(.get, "users/me/channels/pm/num_unread", scopes: [.messages]) {
            try ChannelListHandlers($0).countUnread(AppNetChannel.privateMessages)
        },
        AppNetRoute(.get, "users/me/channels/broadcast/num_unread", scopes: [.messages]) {
            try ChannelListHandlers($0).countUnread(AppNetChannel.broadcast)
        },
        AppNetRoute(.delete, "users/me/channels/broadcast/num_unread", scopes: [.messages]) {
            try ChannelListHandlers($0).markAllRead(AppNetChannel.broadcast)
        },
    ]
}
