internal import HTTPTypes

extension AppNetRoutes {
    /// Channels (§2.1).
    static let channelRoutes: [AppNetRoute] =
        [
            messaging(.post, "channels", .user) { try $0.createChannel() },
            messaging(.get, "channels", .any, isPaginated: true) { try $0.listChannels() },
            messaging(.get, "channels/{channel}", .varies) { try $0.readChannel() },
            messaging(.put, "channels/{channel}", .user) { try $0.updateChannel() },
            messaging(.patch, "channels/{channel}", .user) { try $0.updateChannel() },
            messaging(.delete, "channels/{channel}", .user) { try $0.deactivateChannel() },
            messaging(.get, "users/me/channels", .user, isPaginated: true) { try $0.listOwnChannels() },
            messaging(.get, "users/me/channels/muted", .user) { try $0.listMutedChannels() },
            messaging(.post, "channels/{channel}/subscribe", .user) { try $0.setSubscribed(true) },
            messaging(.delete, "channels/{channel}/subscribe", .user) { try $0.setSubscribed(false) },
            messaging(.post, "channels/{channel}/mute", .user) { try $0.setMuted(true) },
            messaging(.delete, "channels/{channel}/mute", .user) { try $0.setMuted(false) },
            messaging(.get, "channels/{channel}/subscribers", .varies, isPaginated: true) { try $0.listSubscribers() },
            messaging(.get, "channels/{channel}/subscribers/ids", .varies) { try $0.listSubscriberIDs() },
            messaging(.get, "channels/subscribers/ids", .varies) { try $0.listSubscriberIDsOfMany() },
        ] + unreadRoutes

    private static let unreadRoutes: [AppNetRoute] = [
        AppNetRoute(.get, path: "users/me/channels/pm/num_unread", access: .user, scopes: [.messages]) {
            try $0.countUnread(AppNetChannel.privateMessages)
        },
        AppNetRoute(.get, path: "users/me/channels/broadcast/num_unread", access: .user, scopes: [.messages]) {
            try $0.countUnread(AppNetChannel.broadcast)
        },
        AppNetRoute(.delete, path: "users/me/channels/broadcast/num_unread", access: .user, scopes: [.messages]) {
            try $0.markAllRead(AppNetChannel.broadcast)
        },
    ]
}
