internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls for messages (Docs/Protocols/AppNet.md §6.2).
struct PnutMessageHandlers: RequestScoped {
    let context: AppNetContext

    /// Returns the message in the path, if the caller can see it in the channel in the path.
    private func message() throws -> (message: AppNetMessage, channel: AppNetChannel) {
        let channel = try ChannelFinder(context).visible()
        guard let message = try tables.messages.message(try context.id("message")), message.channel == channel.id
        else { throw AppNetFailure.notFound }
        return (message, channel)
    }

    /// Handles `POST channels/{channel}/messages`. Also accepts `is_nsfw`. `update_marker=1` sets the channel's marker
    /// to the message.
    func create() throws -> AppNetResponse {
        let (message, channel) = try MessageWriter(context).create()
        if message.entities.isNSFW(in: try context.body()) { try tables.marks.setNSFW(true, .message, message.id) }
        if context.parameters.flag("update_marker") ?? false {
            try MarkerWriter(context).set(channel.marker, item: message.id)
        }
        return try .object(context.renderer.message(message, in: channel))
    }

    /// Handles `DELETE channels/{channel}/messages/{message}`. Editors can also delete messages of other users.
    func delete() throws -> AppNetResponse {
        let me = try context.me()
        let found = try tables.messages.message(try context.id("message"))
        guard let message = found, message.user != me else { return try MessageHandlers(context).delete() }
        guard message.channel == (try context.id("channel")) else { throw AppNetFailure.notFound }
        let channel = try ChannelFinder(context).channel(allowing: .editors)
        if !message.isDeleted { try tables.pnut.setDeletion(of: message.id, by: me) }
        let deleted = try MessageWriter(context).delete(message, in: channel)
        return try .object(context.renderer.message(deleted, in: channel))
    }

    /// Handles `GET channels/{channel}/messages/{message}/thread`. Returns all messages of the message's thread.
    func listThread() throws -> AppNetResponse {
        let (message, channel) = try message()
        return try MessageHandlers(context).page(of: channel, thread: message.thread)
    }

    /// Handles `POST channels/{channel}/messages/{message}/report`. The report is accepted, but not stored.
    func report() throws -> AppNetResponse {
        let (message, channel) = try message()
        return try .object(context.renderer.message(message, in: channel))
    }

    /// Handles `PUT` and `DELETE channels/{channel}/messages/{message}/sticky`. Only editors can use it.
    func setSticky(_ isSticky: Bool) throws -> AppNetResponse {
        let (message, channel) = try message()
        _ = try ChannelFinder(context).channel(allowing: .editors)
        try require(!isSticky || !message.isDeleted, "The message is deleted.")
        let pnut = tables.pnut
        if isSticky, try !pnut.isSticky(message.id), try pnut.stickyCount(in: channel.id) >= PnutTable.maximumSticky {
            throw AppNetFailure.badRequest("A channel has at most \(PnutTable.maximumSticky) sticky messages.")
        }
        try pnut.setSticky(isSticky, message.id, in: channel.id)
        return try .object(context.renderer.message(message, in: channel))
    }

    /// Handles `GET channels/{channel}/sticky_messages`.
    func listSticky() throws -> AppNetResponse {
        let channel = try ChannelFinder(context).visible()
        let renderer = context.renderer
        return try context.page(
            fetch: { try tables.pnut.stickyMessages(in: channel.id, $0) },
            id: { $0 },
            includes: { try tables.messages.message($0).map { !$0.isDeleted } ?? false },
            render: { id in try tables.messages.message(id).flatMap { try renderer.message($0, in: channel) } }
        )
    }
}
