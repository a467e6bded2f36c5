public import AppNet
internal import GRDB
internal import HeliumJSON

extension MessageManager {
    /// Sends a message at once, without the outbox, stores it, and fetches the newest messages of the channel.
    ///
    /// Use this for messages that are useless unless they are sent now. Unlike with
    /// ``create(_:in:attachments:sendsImmediately:)``, the caller must handle a failure. The `AppNetError/delivery` of
    /// the error says whether the service may have the message.
    ///
    /// - Returns: The stored message. If the fetch fails, the next fetch catches up.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/blocked`` if the channel has
    ///   pending work, which the message would overtake, ``MessageBeastError/Kind/notFound`` for a reply to an unsent
    ///   message, and ``MessageBeastError/Kind/invalidArgument`` for an action channel; `AppNetError`.
    public func post(_ message: Message, in channel: AppNetChannel.ID) async throws -> MessagePlus {
        let term = try context.life.term()
        let posted = try await context.read { database in
            let table = ChannelTable(database: database)
            guard try table.required(channel.text).kind == .private else { throw MessageCreation.noActionChannel }
            if let work = try table.blockingWork(of: channel.text) { throw ChannelFetch.blocked(work, channel.text) }
            return try Self.posted(message, in: database)
        }
        let refresh = MessageRefresh(context: context, channel: channel)
        let echo = try await context.client.messages.create(
            posted,
            in: channel,
            parameters: try await refresh.parameters()
        )
        guard let id = echo.id, echo.isDeleted != true, echo.channelID == nil || echo.channelID == channel else {
            throw MessageBeastError(.protocolViolation, "the response does not match the message")
        }
        try await refresh.store([echo], term)
        _ = try? await fetchNewest(in: channel)
        guard let stored = try await self.message(id: id) else {
            throw MessageBeastError(.notFound, "the message was deleted in the meantime")
        }
        return stored
    }

    /// Returns a message as it is posted.
    ///
    /// The message that it replies to is named by its id on the service. The token of a stored message is removed,
    /// because the post would count as a copy of that message.
    private static func posted(_ message: Message, in database: Database) throws -> Message {
        var message = message
        message.annotations?.removeAll { $0.type.hasSameBytes(as: MessageBeastNames.token) }
        guard let reply = message.replyTo else { return message }
        guard let sent = try MessageTable(database: database).sentID(of: reply) else { throw ReplyTarget.missing }
        message.replyTo = sent
        return message
    }
}
