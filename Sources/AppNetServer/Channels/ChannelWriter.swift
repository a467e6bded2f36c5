internal import HeliumServerKit

/// Stores channels and subscriptions, and records the events for streams (Docs/Protocols/AppNet.md §2.1).
struct ChannelWriter: RequestScoped {
    let context: AppNetContext

    /// Stores a new channel as the latest one of the inbox.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if the maximum number of channels is reached.
    func insert(_ channel: AppNetChannel) throws -> AppNetChannel {
        try require(tables.channels.count() < context.maxima.channels, or: .full("channels"))
        var channel = channel
        channel.activity = try tables.channels.nextActivity()
        return try tables.channels.insert(channel)
    }

    /// Records that a channel was created or changed.
    func recordEvent(of channel: AppNetChannel, by actor: Int64?) {
        context.effects.append(AppNetEvent(kind: .channel, object: channel.id, channel: channel.id, actor: actor))
    }

    /// Subscribes the users of the ACLs, except those who muted the channel or block the caller. Does nothing for
    /// broadcast and inactive channels.
    func autoSubscribe(to channel: AppNetChannel) throws {
        guard channel.type != AppNetChannel.broadcast, !channel.isInactive else { return }
        let me = try context.me()
        for user in channel.readers.users + channel.writers.users + channel.editors.users {
            guard try !tables.audience.hasMuted(user, channel.id), try !tables.relations.exists(.block, user, me)
            else { continue }
            try subscribe(user, to: channel)
        }
    }

    func subscribe(_ user: Int64, to channel: AppNetChannel) throws {
        guard try tables.audience.subscribe(user, to: channel.id) else { return }
        recordSubscription(of: user, to: channel, isDeleted: false)
    }

    func unsubscribe(_ user: Int64, from channel: AppNetChannel) throws {
        guard try tables.audience.unsubscribe(user, from: channel.id) else { return }
        recordSubscription(of: user, to: channel, isDeleted: true)
    }

    private func recordSubscription(of user: Int64, to channel: AppNetChannel, isDeleted: Bool) {
        context.effects.append(
            AppNetEvent(
                kind: .channelSubscription,
                object: channel.id,
                channel: channel.id,
                actor: user,
                isDeleted: isDeleted
            )
        )
    }
}
