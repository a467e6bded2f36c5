// The calls of Docs/Protocols/AppNet.md §2.1, §2.2 and §2.3.
extension CallSpecification {
    // MARK: Channels

    static let createChannel = Self(
        "channels.create",
        .post("channels"),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let channel = Self(
        "channels.get",
        .get("channels/:channel"),
        .varies,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let updateChannel = Self(
        "channels.update",
        .put("channels/:channel"),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let deactivateChannel = Self(
        "channels.deactivate",
        .delete("channels/:channel"),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let subscribedChannels = Self(
        "channels.subscribed",
        .get("channels"),
        pnut: .at(.get("users/me/channels/subscribed")),
        .user,
        scopes: CallTable.messageScopes,
        returns: [AppNetChannel].self,
        pages: true,
        subscribable: true
    )
    static let channelsByID = Self(
        "channels.byIDs",
        .get("channels", query: "ids"),
        .any,
        scopes: CallTable.messageScopes,
        returns: [AppNetChannel].self
    )
    static let createdChannels = Self(
        "channels.created",
        .get("users/me/channels"),
        .user,
        scopes: CallTable.messageScopes,
        returns: [AppNetChannel].self,
        pages: true
    )
    static let subscribeChannel = Self(
        "channels.subscribe",
        .post("channels/:channel/subscribe"),
        pnut: .at(.put("channels/:channel/subscribe")),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let unsubscribeChannel = Self(
        "channels.unsubscribe",
        .delete("channels/:channel/subscribe"),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let muteChannel = Self(
        "channels.mute",
        .post("channels/:channel/mute"),
        pnut: .at(.put("channels/:channel/mute")),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let unmuteChannel = Self(
        "channels.unmute",
        .delete("channels/:channel/mute"),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let mutedChannels = Self(
        "channels.muted",
        .get("users/me/channels/muted"),
        .user,
        scopes: CallTable.messageScopes,
        returns: [AppNetChannel].self
    )
    static let subscribers = Self(
        "channels.subscribers",
        .get("channels/:channel/subscribers"),
        .varies,
        scopes: CallTable.messageScopes,
        returns: [AppNetUser].self,
        pages: true,
        subscribable: true
    )
    static let subscriberIDs = Self(
        "channels.subscriberIDs",
        .get("channels/:channel/subscribers/ids"),
        pnut: .none,
        .varies,
        scopes: CallTable.messageScopes,
        returns: [AppNetUser.ID].self
    )
    static let subscriberIDsOfChannels = Self(
        "channels.subscriberIDsOfChannels",
        .get("channels/subscribers/ids", query: "ids"),
        pnut: .none,
        .varies,
        scopes: CallTable.messageScopes,
        returns: [String: [AppNetUser.ID]].self
    )
    static let unreadPrivateCount = Self(
        "channels.unreadPrivateCount",
        .get("users/me/channels/pm/num_unread"),
        pnut: .none,
        .user,
        scopes: [.messages],
        returns: Int.self
    )
    static let unreadBroadcastCount = Self(
        "channels.unreadBroadcastCount",
        .get("users/me/channels/broadcast/num_unread"),
        pnut: .none,
        .user,
        scopes: [.messages],
        returns: Int.self
    )
    static let markBroadcastsRead = Self(
        "channels.markBroadcastsRead",
        .delete("users/me/channels/broadcast/num_unread"),
        pnut: .none,
        .user,
        scopes: [.messages],
        returns: Int.self
    )

    // MARK: Messages

    static let createMessage = Self(
        "messages.create",
        .post("channels/:channel/messages"),
        .user,
        scopes: CallTable.messageScopes,
        returns: Message.self
    )
    static let messagesInChannel = Self(
        "messages.inChannel",
        .get("channels/:channel/messages"),
        .varies,
        scopes: CallTable.messageScopes,
        returns: [Message].self,
        pages: true,
        subscribable: true
    )
    static let message = Self(
        "messages.get",
        .get("channels/:channel/messages/:message"),
        .varies,
        scopes: CallTable.messageScopes,
        returns: Message.self
    )
    static let messagesByID = Self(
        "messages.byIDs",
        .get("channels/messages", query: "ids"),
        .any,
        scopes: CallTable.messageScopes,
        returns: [Message].self
    )
    static let ownMessages = Self(
        "messages.own",
        .get("users/me/messages"),
        .user,
        scopes: CallTable.messageScopes,
        returns: [Message].self,
        pages: true
    )
    static let deleteMessage = Self(
        "messages.delete",
        .delete("channels/:channel/messages/:message"),
        .user,
        scopes: CallTable.messageScopes,
        returns: Message.self
    )

    // MARK: Stream markers

    static let updateMarker = Self(
        "streamMarkers.update",
        .post("posts/marker"),
        pnut: .at(.post("markers")),
        .user,
        returns: StreamMarker.self
    )
}

extension CallTable {
    static let channels: [CallSpecification] = [
        .createChannel, .channel, .updateChannel, .deactivateChannel, .subscribedChannels, .channelsByID,
        .createdChannels, .subscribeChannel, .unsubscribeChannel, .muteChannel, .unmuteChannel, .mutedChannels,
        .subscribers, .subscriberIDs, .subscriberIDsOfChannels, .unreadPrivateCount, .unreadBroadcastCount,
        .markBroadcastsRead,
    ]

    static let messages: [CallSpecification] = [
        .createMessage, .messagesInChannel, .message, .messagesByID, .ownMessages, .deleteMessage,
    ]

    static let markers: [CallSpecification] = [.updateMarker]
}
