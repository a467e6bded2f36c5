public import AppNet
internal import GRDB

extension MessageManager {
    /// Sends a message at once, without the outbox, stores it, and fetches what else is new.
    ///
    /// For messages that are worth nothing if they cannot be sent now. Unlike with ``create(_:in:attachments:sendsImmediately:)``,
    /// the caller has to deal with a failure, whose `AppNetError/delivery` tells whether the service may have the message.
    ///
    /// - Returns: The message as it is stored. If the fetch fails, the next one makes up for it.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/blocked`` if the channel has something to send: the
    ///   message would get ahead of it; `AppNetError`.
    public func post(_ message: Message, in channel: AppNetChannel.ID) async throws -> MessagePlus {
        let term = try context.life.term()
        let work = try await context.read { database in
            _ = try ChannelTable(database: database).required(channel.text)
            return try ChannelTable(database: database).blockingWork(of: channel.text)
        }
        if let work { throw ChannelFetch.blocked(work, channel.text) }
        let refresh = MessageRefresh(context: context, channel: channel)
        let echo = try await context.client.messages.create(message, in: channel, try await refresh.parameters())
        guard let id = echo.id, echo.isDeleted != true, echo.channelID == nil || echo.channelID == channel else {
            throw MessageBeastError(.protocolViolation, "the response to the message cannot be right")
        }
        try await refresh.store([echo], term)
        _ = try? await fetchNewest(in: channel)
        guard let stored = try await self.message(id: id) else {
            throw MessageBeastError(.notFound, "the message was deleted meanwhile")
        }
        return stored
    }
}
