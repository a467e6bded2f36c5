internal import HeliumJSON
internal import HeliumServerKit

/// The calls that list a user's channels and count those with unread messages (Docs/Protocols/AppNet.md §2.1).
struct ChannelListHandlers: RequestScoped {
    let context: AppNetContext

    private var unread: UnreadChannels { UnreadChannels(context) }

    /// Handles `GET channels`. Returns the channels of `ids`, or the inbox without `ids`.
    func list() throws -> AppNetResponse {
        guard context.parameters["ids"] == nil else { return try readMany() }
        let me = try context.me()
        let renderer = context.renderer
        var answer = try context.page(
            fetch: { try tables.channels.subscribed(by: me, $0) },
            id: \.activity,
            includes: { channel in
                guard isListed(channel) else { return false }
                return try context.options.includesRead || renderer.hasUnread(channel)
            },
            render: renderer.channel
        )
        // The counts require access to all channels (Docs/Protocols/AppNet.md §2.1).
        guard context.caller.viewer.scopes.contains(.messages) else { return answer }
        let counts = try [AppNetChannel.privateMessages, AppNetChannel.broadcast].map { type -> JSONObject.Element in
            (type, .count(try unread.count(type)))
        }
        answer.meta["unread_counts"] = .object(counts)
        return answer
    }

    /// Returns whether the options of the request include a channel, by its type and by its activity.
    private func isListed(_ channel: AppNetChannel) -> Bool {
        context.options.includes(channelType: channel.type)
            && (context.options.includesInactive || !channel.isInactive)
    }

    private func readMany() throws -> AppNetResponse {
        let found = try context.parameters.ids().compactMap(tables.channels.channel)
        return .data(.array(try found.compactMap(context.renderer.channel)))
    }

    /// Handles `GET users/me/channels`.
    func listOwn() throws -> AppNetResponse {
        let me = try context.me()
        return try context.page(
            fetch: { try tables.channels.channels(of: me, $0) },
            id: \.id,
            includes: isListed,
            render: context.renderer.channel
        )
    }

    /// Handles `GET users/me/channels/muted`.
    func listMuted() throws -> AppNetResponse {
        let (options, renderer, channels) = (context.options, context.renderer, tables.channels)
        return try context.list(channels.mutes(by: context.me()), id: \.id) { mute in
            guard let channel = try channels.channel(mute.channel),
                !options.dialect.extendsParameters || options.includes(channelType: channel.type)
            else { return nil }
            return try renderer.channel(channel)
        }
    }

    /// Handles `GET users/me/channels/pm/num_unread` and the same call for `broadcast`.
    func countUnread(_ type: String) throws -> AppNetResponse { .data(.count(try unread.count(type))) }

    /// Handles `DELETE users/me/channels/broadcast/num_unread`.
    func markAllRead(_ type: String) throws -> AppNetResponse {
        try unread.markRead(type)
        return .data(.count(0))
    }
}
