internal import HeliumJSON
internal import HeliumServerKit

/// Stores and deletes messages, counts them in their channels, and records the events for streams
/// (Docs/Protocols/AppNet.md §2.2).
struct MessageWriter: RequestScoped {
    let context: AppNetContext

    /// Stores the body as a message in the channel in the path, which may be `pm`.
    ///
    /// - Throws: ``AppNetFailure`` with 400 for an invalid body, and 403 or 404 if the caller may not write.
    func create() throws -> (message: AppNetMessage, channel: AppNetChannel) {
        let body = try context.body()
        var channel =
            try context.segment("channel") == "pm"
            ? PrivateChannels(context).channel(to: body["destinations"])
            : ChannelFinder(context).channel(allowing: .writers)
        try require(!channel.isInactive, "This channel is inactive.")
        try require(tables.messages.count() < context.maxima.messages, or: .full("messages"))
        let message = try tables.messages.insert(
            message(body, in: channel),
            template: context.request.dialect.messageTemplate
        )
        try tables.attachments.note(message.annotations, of: .message, message.id)
        channel.messages += 1
        channel.recentMessage = message.id
        channel.activity = try tables.channels.nextActivity()
        try tables.channels.updateActivity(channel)
        try recordEvent(of: message, isDeleted: false)
        return (message, channel)
    }

    /// Validates a body and returns its message (Docs/Protocols/AppNet.md §2.2). A reply is counted in its parent.
    func message(_ body: JSONValue, in channel: AppNetChannel) throws -> AppNetMessage {
        let draft = try ContentDraft(body, in: .message(channelType: channel.type), context: context)
        var message = AppNetMessage(
            id: 0,
            channel: channel.id,
            user: try context.me(),
            client: try context.token().client,
            created: context.now,
            text: draft.text,
            entities: draft.entities,
            annotations: draft.annotations,
            thread: 0,
            isMachineOnly: draft.isMachineOnly
        )
        if let sent = body["reply_to"], sent != .null {
            guard let id = sent.lenientText.flatMap({ Int64($0) }), var parent = try tables.messages.message(id),
                parent.channel == channel.id, !parent.isDeleted
            else { throw AppNetFailure.badRequest("reply_to does not name a message of this channel.") }
            message.replyTo = parent.id
            message.thread = parent.thread
            parent.replies += 1
            try tables.messages.update(parent)
        }
        return message
    }

    /// Deletes a message and returns its deleted form. Does nothing if it was already deleted.
    func delete(_ message: AppNetMessage, in channel: AppNetChannel) throws -> AppNetMessage {
        var (message, channel) = (message, channel)
        guard !message.isDeleted else { return message }
        message.isDeleted = true
        // A deleted message is erased, not hidden.
        message.text = nil
        message.entities = AppNetEntities()
        try tables.files.revoke(grantsOf: message.annotations)
        try tables.attachments.remove(.message, message.id)
        message.annotations = []
        try tables.messages.update(message)
        channel.messages = max(0, channel.messages - 1)
        try tables.channels.updateActivity(channel)
        try recordEvent(of: message, isDeleted: true)
        return message
    }

    private func recordEvent(of message: AppNetMessage, isDeleted: Bool) throws {
        context.effects.append(
            AppNetEvent(
                kind: .message,
                object: message.id,
                channel: message.channel,
                actor: message.user,
                isDeleted: isDeleted,
                users: try tables.audience.subscribers(of: message.channel)
            )
        )
    }
}
