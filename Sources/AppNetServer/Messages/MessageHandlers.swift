internal import HeliumJSON

/// The calls for messages (Docs/Protocols/AppNet.md §2.2).
struct MessageHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `POST channels/{channel}/messages`. The channel may be `pm`.
    func create() throws -> AppNetResponse {
        let (message, channel) = try MessageWriter(context).create()
        return try .object(context.renderer.message(message, in: channel))
    }

    /// Handles `GET channels/{channel}/messages`.
    func list() throws -> AppNetResponse {
        let channel = try ChannelFinder(context).visible()
        return try page(of: channel, marker: channel.marker)
    }

    /// Returns a page of a channel's messages, or of one thread.
    func page(of channel: AppNetChannel, thread: Int64? = nil, marker: String? = nil) throws -> AppNetResponse {
        let renderer = context.renderer
        let filter = try MessageFilter(context)
        return try context.page(
            marker: marker,
            fetch: { try tables.messages.messages(in: channel.id, $0) },
            id: \.id,
            includes: { thread ?? $0.thread == $0.thread && filter.includes($0) },
            render: { try renderer.message($0, in: channel) }
        )
    }

    /// Returns the message in the path, if the caller can see it, and its channel.
    private func visibleMessage() throws -> (AppNetMessage, AppNetChannel) {
        guard let message = try tables.messages.message(try context.id("message")),
            message.channel == (try context.id("channel")),
            let channel = try tables.channels.channel(message.channel)
        else { throw AppNetFailure.notFound }
        return (message, try reader.sees(message, in: channel) ? channel : ChannelFinder(context).visible(channel))
    }

    /// Handles `GET channels/{channel}/messages/{message}`.
    func read() throws -> AppNetResponse {
        let (message, channel) = try visibleMessage()
        return try .object(context.renderer.message(message, in: channel))
    }

    /// Handles `GET channels/messages?ids=`.
    func readMany() throws -> AppNetResponse {
        let renderer = context.renderer
        let found = try context.parameters.ids().compactMap { id -> JSONValue? in
            guard let message = try tables.messages.message(id),
                let channel = try tables.channels.channel(message.channel)
            else { return nil }
            return try renderer.message(message, in: channel)
        }
        return .data(.array(found))
    }

    /// Handles `GET users/me/messages`.
    func listOwn() throws -> AppNetResponse {
        let me = try context.me()
        let renderer = context.renderer
        let filter = try MessageFilter(context)
        return try context.page(
            fetch: { try tables.messages.messages(by: me, $0) },
            id: \.id,
            includes: filter.includes,
            render: { message in
                try tables.channels.channel(message.channel).flatMap { try renderer.message(message, in: $0) }
            }
        )
    }

    /// Handles `DELETE channels/{channel}/messages/{message}`. Only the author can delete a message.
    func delete() throws -> AppNetResponse {
        let (message, channel) = try visibleMessage()
        guard message.user == (try context.me()) else {
            throw AppNetFailure.forbidden("You may only delete your messages.")
        }
        let deleted = try MessageWriter(context).delete(message, in: channel)
        return try .object(context.renderer.message(deleted, in: channel))
    }
}
