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
    /// After the service has the message, the call returns it, also if it was cancelled in the meantime, or if the store
    /// failed.
    ///
    /// - Returns: The stored message. If it could not be stored, or if the fetch failed, the next fetch catches up.
    /// - Throws: ``MessageBeastError``, including the kinds ``MessageBeastError/Kind/blocked`` if the channel has
    ///   pending work, which the message would overtake, ``MessageBeastError/Kind/notFound`` for a reply to an unsent
    ///   message, and ``MessageBeastError/Kind/invalidArgument`` for an action channel; `AppNetError`.
    public func post(_ message: Message, in channel: AppNetChannel.ID) async throws -> MessagePlus {
        let term = try context.life.term()
        let posted = try await context.read { database in
            let table = ChannelTable(database: database)
            try MessageCreation.check(table.required(channel.text))
            if let work = try table.blockingWork(of: channel.text) { throw ChannelFetch.blocked(work, channel.text) }
            return try Self.posted(message, in: database)
        }
        let refresh = MessageRefresh(context: context, channel: channel)
        let echo = try await context.client.messages.create(
            posted,
            in: channel,
            parameters: try await refresh.parameters()
        )
        let (configuration, now) = (context.configuration, context.now)
        guard let id = echo.id, echo.channelID == nil || echo.channelID == channel,
            let incoming = try? IncomingMessage(echo, configuration: configuration, now: now.date), !incoming.isDeleted
        else {
            throw MessageBeastError(.protocolViolation, "the response does not match the message")
        }
        // From here on, nothing throws: the caller would post the message again.
        let stored = try? await refresh.store([echo], term, reading: [id]).first
        _ = try? await fetchNewest(in: channel)
        // The fetch may have found a newer form.
        let newest = try? await self.message(id: id)
        return newest ?? stored ?? MessagePlus(unstored: echo, incoming, in: channel)
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
