internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls for channels (Docs/Protocols/AppNet.md §6.2).
struct PnutChannelHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET users/me/channels/num_unread`. Returns the number of channels of each type with unread messages.
    func countUnreadByType() throws -> AppNetResponse {
        let counts = try unreadTypes().map { type -> JSONObject.Element in
            (type, .count(try UnreadChannels(context).count(type)))
        }
        return .data(.object(counts))
    }

    /// Handles `DELETE users/me/channels/num_unread`. Marks all channels of the types as read.
    func markReadByType() throws -> AppNetResponse {
        let types = try unreadTypes()
        for type in types { try UnreadChannels(context).markRead(type) }
        return .data(.object(types.map { ($0, 0) }))
    }

    /// Returns the types of `channel_types`, at most four; private messages by default.
    private func unreadTypes() throws(AppNetFailure) -> [String] {
        let types = context.parameters.list("channel_types") ?? [AppNetChannel.privateMessages]
        try require(types.count <= 4, "At most 4 channel_types can be requested.")
        var seen: Set<String> = []
        return types.filter { seen.insert($0).inserted }
    }

    /// Handles `GET users/me/channels/existing_pm?ids=`. Returns the private conversation with exactly these users and
    /// the caller.
    func readPrivate() throws -> AppNetResponse {
        let me = try context.me()
        let others = try (context.parameters.list("ids") ?? []).map { name in
            guard let user = try UserFinder(context).named(name) else { throw AppNetFailure.notFound }
            return user.id
        }
        let members = Set(others).union([me])
        try require(members.count > 1, "You must supply ids.")
        let channel = try require(PrivateChannels(context).channel(of: members), or: .notFound)
        return try .object(context.renderer.channel(ChannelFinder(context).visible(channel)))
    }

    /// Handles `PUT channels/{channel}/owner`. Makes the user with the body's `id` the owner of the channel.
    func giveAway() throws -> AppNetResponse {
        var channel = try ChannelFinder(context).visible()
        guard channel.owner == (try context.me()) else {
            throw AppNetFailure.forbidden("Only the owner may give a channel away.")
        }
        try require(channel.type != AppNetChannel.privateMessages, "A private conversation has no owner.")
        let given = try context.body()
        guard let name = given["id"]?.lenientText ?? given["user_id"]?.lenientText,
            let user = try UserFinder(context).named(name)
        else { throw AppNetFailure.badRequest("You must supply the id of a user.") }
        let before = channel.owner
        channel.owner = user.id
        // The owner's rights are implied, so the lists do not contain the owner.
        channel.readers.users.removeAll { $0 == user.id }
        channel.writers.users.removeAll { $0 == user.id }
        channel.editors.users.removeAll { $0 == user.id }
        if !channel.editors.isImmutable, before != user.id { channel.editors.users.append(before) }
        try tables.channels.update(channel)
        ChannelWriter(context).recordEvent(of: channel, by: before)
        return .data(try context.renderer.changedChannel(channel))
    }
}
