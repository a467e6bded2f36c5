internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls on messages (§6.2).
struct PnutMessageHandlers: RequestScoped {
    let context: AppNetContext

    /// A message that the caller sees in the channel of the path.
    private func message() throws -> (message: AppNetMessage, channel: AppNetChannel) {
        let channel = try ChannelFinder(context).visible()
        guard let message = try tables.messages.message(try context.id("message")), message.channel == channel.id
        else { throw AppNetFailure.notFound }
        return (message, channel)
    }

    /// `POST channels/{channel}/messages`: also takes `is_nsfw`; `update_marker=1` sets the channel's marker to the
    /// message.
    func create() throws -> AppNetAnswer {
        let (message, channel) = try MessageWriter(context).create()
        if message.entities.isNSFW(in: try context.body()) { try tables.marks.setNSFW(true, .message, message.id) }
        if context.parameters.flag("update_marker") ?? false {
            try MarkerWriter(context).set(channel.marker, item: message.id)
        }
        return .data(try context.renderer.message(message, in: channel))
    }

    /// `DELETE channels/{channel}/messages/{message}`: editors may also delete other users' messages.
    func delete() throws -> AppNetAnswer {
        let me = try context.me()
        let found = try tables.messages.message(try context.id("message"))
        guard let message = found, message.user != me else { return try MessageHandlers(context).delete() }
        guard message.channel == (try context.id("channel")) else { throw AppNetFailure.notFound }
        let channel = try ChannelFinder(context).channel(allowing: .editors)
        if !message.isDeleted { try tables.pnut.setDeletion(of: message.id, by: me) }
        let deleted = try MessageWriter(context).delete(message, in: channel)
        return .data(try context.renderer.message(deleted, in: channel))
    }

    /// `GET channels/{channel}/messages/{message}/thread`: all messages of the message's thread.
    func listThread() throws -> AppNetAnswer {
        let (message, channel) = try message()
        return try MessageHandlers(context).page(of: channel, thread: message.thread)
    }

    /// `POST channels/{channel}/messages/{message}/report`: accepted, but not stored.
    func report() throws -> AppNetAnswer {
        let (message, channel) = try message()
        return .data(try context.renderer.message(message, in: channel))
    }

    /// `PUT` and `DELETE channels/{channel}/messages/{message}/sticky`: editors only.
    func setSticky(_ isSticky: Bool) throws -> AppNetAnswer {
        let (message, channel) = try message()
        _ = try ChannelFinder(context).channel(allowing: .editors)
        try require(!isSticky || !message.isDeleted, "The message is deleted.")
        let pnut = tables.pnut
        if isSticky, try !pnut.isSticky(message.id), try pnut.stickyCount(in: channel.id) >= PnutTable.maximumSticky {
            throw AppNetFailure.badRequest("A channel has at most \(PnutTable.maximumSticky) sticky messages.")
        }
        try pnut.setSticky(isSticky, message.id, in: channel.id)
        return .data(try context.renderer.message(message, in: channel))
    }

    /// `GET channels/{channel}/sticky_messages`
    func listSticky() throws -> AppNetAnswer {
        let channel = try ChannelFinder(context).visible()
        let renderer = context.renderer
        return try context.page(
            fetch: { try tables.pnut.stickyMessages(in: channel.id, $0) },
            id: { $0 },
            includes: { try tables.messages.message($0).map { !$0.isDeleted } ?? false },
            render: { id in try tables.messages.message(id).map { try renderer.message($0, in: channel) } ?? [:] }
        )
    }
}
