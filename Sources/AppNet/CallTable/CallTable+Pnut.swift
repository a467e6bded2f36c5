// What only pnut.io has (§6.2).
extension CallSpecification {
    // MARK: Channels and messages

    static let unreadCounts = Self(
        "channels.unreadCounts",
        nil,
        pnut: .at(.get("users/me/channels/num_unread", query: "channel_types")),
        .user,
        scopes: CallTable.messageScopes,
        "{String: Int}"
    )
    static let markRead = Self(
        "channels.markRead",
        nil,
        pnut: .at(.delete("users/me/channels/num_unread", query: "channel_types")),
        .user,
        scopes: CallTable.messageScopes,
        "{String: Int}"
    )
    static let existingPrivateChannel = Self(
        "channels.existingPrivate",
        nil,
        pnut: .at(.get("users/me/channels/existing_pm", query: "ids")),
        .user,
        scopes: CallTable.messageScopes,
        "Channel"
    )
    static let transferChannel = Self(
        "channels.transfer",
        nil,
        pnut: .at(.put("channels/:channel/owner")),
        .user,
        scopes: CallTable.messageScopes,
        "Channel"
    )
    static let exploreChannels = Self(
        "explore.channels",
        nil,
        pnut: .at(.get("channels/streams/explore")),
        .none,
        "[ExploreStream]"
    )
    static let exploreChannelStream = Self(
        "explore.channelsOfStream",
        nil,
        pnut: .at(.get("channels/streams/explore/:slug")),
        .none,
        "[Channel]",
        pages: true
    )
    static let thread = Self(
        "messages.thread",
        nil,
        pnut: .at(.get("channels/:channel/messages/:message/thread")),
        .user,
        scopes: CallTable.messageScopes,
        "[Message]",
        pages: true
    )
    static let reportMessage = Self(
        "messages.report",
        nil,
        pnut: .at(.post("channels/:channel/messages/:message/report")),
        .user,
        "-"
    )
    static let stickMessage = Self(
        "messages.stick",
        nil,
        pnut: .at(.put("channels/:channel/messages/:message/sticky")),
        .user,
        scopes: CallTable.messageScopes,
        "Message"
    )
    static let unstickMessage = Self(
        "messages.unstick",
        nil,
        pnut: .at(.delete("channels/:channel/messages/:message/sticky")),
        .user,
        scopes: CallTable.messageScopes,
        "Message"
    )
    static let stickyMessages = Self(
        "messages.sticky",
        nil,
        pnut: .at(.get("channels/:channel/sticky_messages")),
        .user,
        scopes: CallTable.messageScopes,
        "[Message]",
        pages: true
    )

    // MARK: Files, service

    static let deleteFiles = Self(
        "files.deleteMany",
        nil,
        pnut: .at(.delete("files", query: "ids")),
        .user,
        scopes: [.files],
        "-"
    )
    static let operation = Self("configuration.operation", nil, pnut: .at(.get("sys/ops/:operation")), .any, "Any")
    static let statistics = Self("configuration.statistics", nil, pnut: .at(.get("sys/stats")), .none, "Any")

    // MARK: Users

    static let removeAvatar = Self(
        "users.removeAvatar",
        nil,
        pnut: .at(.delete("users/me/avatar")),
        .user,
        scopes: [.updateProfile],
        "User"
    )
    static let removeCover = Self(
        "users.removeCover",
        nil,
        pnut: .at(.delete("users/me/cover")),
        .user,
        scopes: [.updateProfile],
        "User"
    )
    static let suggestedUsers = Self(
        "users.suggested",
        nil,
        pnut: .at(.get("users/suggested")),
        .user,
        "[User]",
        pages: true
    )
    static let presentUsers = Self("users.present", nil, pnut: .at(.get("presence")), .user, "[Presence]")
    static let presence = Self("users.presence", nil, pnut: .at(.get("users/:user/presence")), .user, "Presence")
    static let setPresence = Self(
        "users.setPresence",
        nil,
        pnut: .at(.put("users/me/presence")),
        .user,
        scopes: [.presence],
        "Presence"
    )
    static let presentInChannel = Self(
        "users.presentInChannel",
        nil,
        pnut: .at(.get("channels/:channel/presence")),
        .user,
        scopes: CallTable.messageScopes,
        "[Presence]"
    )
    static let presenceInChannel = Self(
        "users.presenceInChannel",
        nil,
        pnut: .at(.get("users/:user/presence/channels/:channel")),
        .user,
        scopes: CallTable.messageScopes,
        "Presence"
    )
    static let setPresenceInChannel = Self(
        "users.setPresenceInChannel",
        nil,
        pnut: .at(.put("users/me/presence/channels/:channel")),
        .user,
        scopes: CallTable.messageScopes,
        "Presence"
    )
    static let badges = Self("users.badges", nil, pnut: .at(.get("badges")), .none, "[Badge]")
    static let badge = Self("users.badge", nil, pnut: .at(.get("badges/:badge")), .none, "Badge")
    static let ownBadges = Self("users.ownBadges", nil, pnut: .at(.get("users/me/badges")), .user, "[Badge]")

    // MARK: Clients, embedding, app streams

    static let clientsOfUser = Self(
        "clients.registered",
        nil,
        pnut: .at(.get("users/:user/clients")),
        .any,
        "[Client]"
    )
    static let client = Self("clients.get", nil, pnut: .at(.get("clients/:client")), .any, "Client")
    static let embedding = Self("embedding.describe", nil, pnut: .at(.get("oembed", query: "url")), .none, "OEmbed")
    static let testStream = Self("appStreams.test", nil, pnut: .at(.post("streams/:stream/test")), .app, "-")

    // MARK: Posts

    static let revisePost = Self(
        "posts.revise",
        nil,
        pnut: .at(.put("posts/:post")),
        .user,
        scopes: [.writePost],
        "Post"
    )
    static let revisions = Self("posts.revisions", nil, pnut: .at(.get("posts/:post/revisions")), .none, "[Post]")
    static let postInteractions = Self(
        "posts.interactions",
        nil,
        pnut: .at(.get("posts/:post/interactions")),
        .none,
        "[Interaction]",
        pages: true
    )

    // MARK: Polls

    static let createPoll = Self(
        "polls.create",
        nil,
        pnut: .at(.post("polls")),
        .user,
        scopes: [.polls, .writePost],
        "Poll"
    )
    static let poll = Self("polls.get", nil, pnut: .at(.get("polls/:poll")), .user, scopes: [.polls], "Poll")
    static let pollsByID = Self(
        "polls.byIDs",
        nil,
        pnut: .at(.get("polls", query: "ids")),
        .user,
        scopes: [.polls],
        "[Poll]"
    )
    static let pollResponses = Self(
        "polls.responses",
        nil,
        pnut: .at(.get("users/me/polls/responses")),
        .user,
        scopes: [.polls],
        "[Poll]",
        pages: true
    )
    static let ownPolls = Self(
        "polls.own",
        nil,
        pnut: .at(.get("users/me/polls")),
        .user,
        scopes: [.polls],
        "[Poll]",
        pages: true
    )
    static let respondToPoll = Self(
        "polls.respond",
        nil,
        pnut: .at(.put("polls/:poll/response")),
        .user,
        scopes: [.polls, .writePost],
        "Poll"
    )
    static let deletePoll = Self(
        "polls.delete",
        nil,
        pnut: .at(.delete("polls/:poll")),
        .user,
        scopes: [.polls],
        "Poll"
    )
    static let searchPolls = Self("polls.search", nil, pnut: .at(.get("polls/search")), .any, "[Poll]", pages: true)
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
