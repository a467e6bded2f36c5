public import AppNet
internal import GRDB
internal import HeliumJSON

extension MessageManager {
    /// Sends a message at once, without the outbox, stores it, and fetches what else is new.
    ///
    /// For messages that are worth nothing if they cannot be sent now. Unlike with ``create(_:in:attachments:sendsImmediately:)``,
    /// the caller has to deal with a failure, whose `AppNetError/delivery` tells whether the service may have the message.
    ///
    /// - Returns: The message as it is stored. If the fetch fails, the next one makes up for it.
    /// - Throws: ``MessageBeastError``, of the kind ``MessageBeastError/Kind/blocked`` if the channel has something to send: the
    ///   message would get ahead of it, ``MessageBeastError/Kind/notFound`` for a reply to a message that was not sent, and
    ///   ``MessageBeastError/Kind/invalidArgument`` for an action channel; `AppNetError`.
    public func post(_ message: Message, in channel: AppNetChannel.ID) async throws -> MessagePlus {
        let term = try context.life.term()
        let posted = try await context.read { database in
            let table = ChannelTable(database: database)
            guard try table.required(channel.text).kind == .private else { throw MessageCreation.noActionChannel }
            if let work = try table.blockingWork(of: channel.text) { throw ChannelFetch.blocked(work, channel.text) }
            return try Self.posted(message, in: database)
        }
        let refresh = MessageRefresh(context: context, channel: channel)
        let echo = try await context.client.messages.create(posted, in: channel, try await refresh.parameters())
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

    /// A message as it is posted: with the id that the service has for the message that it replies to, and without the token
    /// of a stored message that it may be made of, of which it would count as a copy.
    private static func posted(_ message: Message, in database: Database) throws -> Message {
        var message = message
        message.annotations?.removeAll { $0.type.hasSameBytes(as: MessageBeastNames.token) }
        guard let reply = message.replyTo else { return message }
        guard let sent = try MessageTable(database: database).sentID(of: reply) else { throw ReplyTarget.missing }
        message.replyTo = sent
        return message
    }
}
