internal import HTTPTypes

extension AppNetRoutes {
    /// Channels (§2.1).
    static let channelRoutes: [AppNetRoute] =
        [
            messaging(.post, "channels", .user) { try ChannelHandlers($0).create() },
            messaging(.get, "channels", .any, isPaginated: true) { try ChannelListHandlers($0).list() },
            messaging(.get, "channels/{channel}", .varies) { try ChannelHandlers($0).read() },
            messaging(.put, "channels/{channel}", .user) { try ChannelHandlers($0).update() },
            messaging(.patch, "channels/{channel}", .user) { try ChannelHandlers($0).update() },
            messaging(.delete, "channels/{channel}", .user) { try ChannelHandlers($0).deactivate() },
            messaging(.get, "users/me/channels", .user, isPaginated: true) { try ChannelListHandlers($0).listOwn() },
            messaging(.get, "users/me/channels/muted", .user) { try ChannelListHandlers($0).listMuted() },
            messaging(.post, "channels/{channel}/subscribe", .user) {
                try SubscriptionHandlers($0).setSubscribed(true)
            },
            messaging(.delete, "channels/{channel}/subscribe", .user) {
                try SubscriptionHandlers($0).setSubscribed(false)
            },
            messaging(.post, "channels/{channel}/mute", .user) { try SubscriptionHandlers($0).setMuted(true) },
            messaging(.delete, "channels/{channel}/mute", .user) { try SubscriptionHandlers($0).setMuted(false) },
            messaging(.get, "channels/{channel}/subscribers", .varies, isPaginated: true) {
                try SubscriptionHandlers($0).list()
            },
            messaging(.get, "channels/{channel}/subscribers/ids", .varies) { try SubscriptionHandlers($0).listIDs() },
            messaging(.get, "channels/search", .user, isPaginated: true) { try SearchHandlers($0).searchChannels() },
            messaging(.get, "channels/subscribers/ids", .varies) { try SubscriptionHandlers($0).listIDsOfMany() },
        ] + unreadRoutes

    private static let unreadRoutes: [AppNetRoute] = [
        AppNetRoute(.get, "users/me/channels/pm/num_unread", .user, scopes: [.messages]) {
            try ChannelListHandlers($0).countUnread(AppNetChannel.privateMessages)
        },
        AppNetRoute(.get, "users/me/channels/broadcast/num_unread", .user, scopes: [.messages]) {
            try ChannelListHandlers($0).countUnread(AppNetChannel.broadcast)
        },
        AppNetRoute(.delete, "users/me/channels/broadcast/num_unread", .user, scopes: [.messages]) {
            try ChannelListHandlers($0).markAllRead(AppNetChannel.broadcast)
        },
    ]
}
