internal import GRDB
internal import HeliumJSON
internal import HeliumServerKit

/// The calls that subscribe to channels, mute channels and list subscribers (Docs/Protocols/AppNet.md §2.1).
struct SubscriptionHandlers: RequestScoped {
    let context: AppNetContext

    private var finder: ChannelFinder { ChannelFinder(context) }
    private var writer: ChannelWriter { ChannelWriter(context) }

    /// Handles `POST` and `DELETE channels/{channel}/subscribe`. Subscribing also unmutes the channel.
    func setSubscribed(_ isSubscribed: Bool) throws -> AppNetResponse {
        let me = try context.me()
        guard isSubscribed else {
            // Users who lost access can still unsubscribe.
            let channel = try require(tables.channels.channel(try context.id("channel")), or: .notFound)
            let isMember = try tables.audience.isSubscribed(me, to: channel.id)
            try require(reader.sees(channel) || isMember, or: .notFound)
            try writer.unsubscribe(me, from: channel)
            return .data(try context.renderer.changedChannel(channel))
        }
        let channel = try finder.visible()
        try require(!channel.isInactive, "This channel is inactive.")
        _ = try tables.audience.unmute(channel.id, by: me)
        try writer.subscribe(me, to: channel)
        return try .object(context.renderer.channel(channel))
    }

    /// Handles `POST` and `DELETE channels/{channel}/mute`. Muting also unsubscribes the user.
    func setMuted(_ isMuted: Bool) throws -> AppNetResponse {
        let me = try context.me()
        let channel = try finder.visible()
        if isMuted {
            _ = try tables.audience.mute(channel.id, by: me)
            try writer.unsubscribe(me, from: channel)
        } else {
            _ = try tables.audience.unmute(channel.id, by: me)
        }
        return try .object(context.renderer.channel(channel))
    }

    /// Handles `GET channels/{channel}/subscribers`.
    func list() throws -> AppNetResponse {
        let channel = try finder.visible()
        let renderer = context.renderer
        return try context.page(
            fetch: { try tables.audience.subscriptions(to: channel.id, $0) },
            id: \.id,
            render: { try renderer.user($0.user) }
        )
    }

    /// Handles `GET channels/{channel}/subscribers/ids`.
    func listIDs() throws -> AppNetResponse {
        .data(.array(try tables.audience.subscribers(of: finder.visible().id).map { .id($0) }))
    }

    /// Handles `GET channels/subscribers/ids?ids=`.
    func listIDsOfMany() throws -> AppNetResponse {
        let found = try context.parameters.ids().compactMap(tables.channels.channel).filter(reader.sees)
        return .data(
            .object(
                try found.map { channel in
                    (String(channel.id), .array(try tables.audience.subscribers(of: channel.id).map { .id($0) }))
                }
            )
        )
    }
}
