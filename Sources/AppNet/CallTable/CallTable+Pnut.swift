// The calls that only pnut.io has (Docs/Protocols/AppNet.md §6.2).
extension CallSpecification {
    // MARK: Channels and messages

    static let unreadCounts = Self(
        "channels.unreadCounts",
        nil,
        pnut: .at(.get("users/me/channels/num_unread", query: "channel_types")),
        .user,
        scopes: CallTable.messageScopes,
        returns: [String: Int].self
    )
    static let markRead = Self(
        "channels.markRead",
        nil,
        pnut: .at(.delete("users/me/channels/num_unread", query: "channel_types")),
        .user,
        scopes: CallTable.messageScopes,
        returns: [String: Int].self
    )
    static let existingPrivateChannel = Self(
        "channels.existingPrivate",
        nil,
        pnut: .at(.get("users/me/channels/existing_pm", query: "ids")),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let transferChannel = Self(
        "channels.transfer",
        nil,
        pnut: .at(.put("channels/:channel/owner")),
        .user,
        scopes: CallTable.messageScopes,
        returns: AppNetChannel.self
    )
    static let exploreChannels = Self(
        "explore.channels",
        nil,
        pnut: .at(.get("channels/streams/explore")),
        .none,
        returns: [ExploreStream].self
    )
    static let exploreChannelStream = Self(
        "explore.channelsOfStream",
        nil,
        pnut: .at(.get("channels/streams/explore/:slug")),
        .none,
        returns: [AppNetChannel].self,
        pages: true
    )
    static let thread = Self(
        "messages.thread",
        nil,
        pnut: .at(.get("channels/:channel/messages/:message/thread")),
        .user,
        scopes: CallTable.messageScopes,
        returns: [Message].self,
        pages: true
    )
    static let reportMessage = Self(
        "messages.report",
        nil,
        pnut: .at(.post("channels/:channel/messages/:message/report")),
        .user
    )
    static let stickMessage = Self(
        "messages.stick",
        nil,
        pnut: .at(.put("channels/:channel/messages/:message/sticky")),
        .user,
        scopes: CallTable.messageScopes,
        returns: Message.self
    )
    static let unstickMessage = Self(
        "messages.unstick",
        nil,
        pnut: .at(.delete("channels/:channel/messages/:message/sticky")),
        .user,
        scopes: CallTable.messageScopes,
        returns: Message.self
    )
    static let stickyMessages = Self(
        "messages.sticky",
        nil,
        pnut: .at(.get("channels/:channel/sticky_messages")),
        .user,
        scopes: CallTable.messageScopes,
        returns: [Message].self,
        pages: true
    )

    // MARK: Files, service

    static let deleteFiles = Self(
        "files.deleteMany",
        nil,
        pnut: .at(.delete("files", query: "ids")),
        .user,
        scopes: [.files]
    )
    static let operation = Self(
        "configuration.operation",
        nil,
        pnut: .at(.get("sys/ops/:operation")),
        .any,
        returns: JSONValue.self
    )
    static let statistics = Self(
        "configuration.statistics",
        nil,
        pnut: .at(.get("sys/stats")),
        .none,
        returns: JSONValue.self
    )

    // MARK: Users

    static let removeAvatar = Self(
        "users.removeAvatar",
        nil,
        pnut: .at(.delete("users/me/avatar")),
        .user,
        scopes: [.updateProfile],
        returns: AppNetUser.self
    )
    static let removeCover = Self(
        "users.removeCover",
        nil,
        pnut: .at(.delete("users/me/cover")),
        .user,
        scopes: [.updateProfile],
        returns: AppNetUser.self
    )
    static let suggestedUsers = Self(
        "users.suggested",
        nil,
        pnut: .at(.get("users/suggested")),
        .user,
        returns: [AppNetUser].self,
        pages: true
    )
    static let presentUsers = Self("users.present", nil, pnut: .at(.get("presence")), .user, returns: [Presence].self)
    static let presence = Self(
        "users.presence",
        nil,
        pnut: .at(.get("users/:user/presence")),
        .user,
        returns: Presence.self
    )
    static let setPresence = Self(
        "users.setPresence",
        nil,
        pnut: .at(.put("users/me/presence")),
        .user,
        scopes: [.presence],
        returns: Presence.self
    )
    static let presentInChannel = Self(
        "users.presentInChannel",
        nil,
        pnut: .at(.get("channels/:channel/presence")),
        .user,
        scopes: CallTable.messageScopes,
        returns: [Presence].self
    )
    static let presenceInChannel = Self(
        "users.presenceInChannel",
        nil,
        pnut: .at(.get("users/:user/presence/channels/:channel")),
        .user,
        scopes: CallTable.messageScopes,
        returns: Presence.self
    )
    static let setPresenceInChannel = Self(
        "users.setPresenceInChannel",
        nil,
        pnut: .at(.put("users/me/presence/channels/:channel")),
        .user,
        scopes: CallTable.messageScopes,
        returns: Presence.self
    )
    static let badges = Self("users.badges", nil, pnut: .at(.get("badges")), .none, returns: [Badge].self)
    static let badge = Self("users.badge", nil, pnut: .at(.get("badges/:badge")), .none, returns: Badge.self)
    static let ownBadges = Self(
        "users.ownBadges",
        nil,
        pnut: .at(.get("users/me/badges")),
        .user,
        returns: [Badge].self
    )

    // MARK: Clients, embedding, app streams

    static let clientsOfUser = Self(
        "clients.registered",
        nil,
        pnut: .at(.get("users/:user/clients")),
        .any,
        returns: [ClientInfo].self
    )
    static let client = Self("clients.get", nil, pnut: .at(.get("clients/:client")), .any, returns: ClientInfo.self)
    static let embedding = Self(
        "embedding.describe",
        nil,
        pnut: .at(.get("oembed", query: "url")),
        .none,
        returns: OEmbed.self
    )
    static let testStream = Self("appStreams.test", nil, pnut: .at(.post("streams/:stream/test")), .app)

    // MARK: Posts

    static let revisePost = Self(
        "posts.revise",
        nil,
        pnut: .at(.put("posts/:post")),
        .user,
        scopes: [.writePost],
        returns: Post.self
    )
    static let revisions = Self(
        "posts.revisions",
        nil,
        pnut: .at(.get("posts/:post/revisions")),
        .none,
        returns: [Post].self
    )
    static let postInteractions = Self(
        "posts.interactions",
        nil,
        pnut: .at(.get("posts/:post/interactions")),
        .none,
        returns: [Interaction].self,
        pages: true
    )

    // MARK: Polls

    static let createPoll = Self(
        "polls.create",
        nil,
        pnut: .at(.post("polls")),
        .user,
        scopes: [.polls, .writePost],
        returns: Poll.self
    )
    static let poll = Self(
        "polls.get",
        nil,
        pnut: .at(.get("polls/:poll")),
        .user,
        scopes: [.polls],
        returns: Poll.self
    )
    static let pollsByID = Self(
        "polls.byIDs",
        nil,
        pnut: .at(.get("polls", query: "ids")),
        .user,
        scopes: [.polls],
        returns: [Poll].self
    )
    static let pollResponses = Self(
        "polls.responses",
        nil,
        pnut: .at(.get("users/me/polls/responses")),
        .user,
        scopes: [.polls],
        returns: [Poll].self,
        pages: true
    )
    static let ownPolls = Self(
        "polls.own",
        nil,
        pnut: .at(.get("users/me/polls")),
        .user,
        scopes: [.polls],
        returns: [Poll].self,
        pages: true
    )
    static let respondToPoll = Self(
        "polls.respond",
        nil,
        pnut: .at(.put("polls/:poll/response")),
        .user,
        scopes: [.polls, .writePost],
        returns: Poll.self
    )
    static let deletePoll = Self(
        "polls.delete",
        nil,
        pnut: .at(.delete("polls/:poll")),
        .user,
        scopes: [.polls],
        returns: Poll.self
    )
    static let searchPolls = Self(
        "polls.search",
        nil,
        pnut: .at(.get("polls/search")),
        .any,
        returns: [Poll].self,
        pages: true
    )
}

extension CallTable {
    static let pnutOnly: [CallSpecification] = [
        .unreadCounts, .markRead, .existingPrivateChannel, .transferChannel, .exploreChannels, .exploreChannelStream,
        .thread,
        .reportMessage, .stickMessage, .unstickMessage, .stickyMessages, .deleteFiles, .operation, .statistics,
        .removeAvatar, .removeCover, .suggestedUsers, .presentUsers, .presence, .setPresence, .presentInChannel,
        .presenceInChannel, .setPresenceInChannel, .badges, .badge, .ownBadges, .revisePost, .revisions,
        .postInteractions, .createPoll, .poll, .pollsByID, .ownPolls, .pollResponses, .respondToPoll, .deletePoll,
        .searchPolls, .clientsOfUser, .client, .embedding, .testStream,
    ]
}
