internal import HeliumJSON
internal import HeliumServerKit

/// pnut's own calls on channels and messages (§6.2).
extension AppNetCall {
    // MARK: Channels

    /// `GET users/me/channels/num_unread`: how many channels of each type have unread messages.
    func countUnreadByType() throws -> AppNetAnswer {
        let me = try me()
        let renderer = renderer
        return .data(
            .object(
                try unreadTypes().map { type in
                    let count = try channels.subscribed(by: me, type: type).count { try renderer.hasUnread($0) }
                    return (PnutNames.pnut(type), .count(count))
                }
            )
        )
    }

    /// `DELETE users/me/channels/num_unread`: marks all channels of the types read.
    func markTypesRead() throws -> AppNetAnswer {
        let types = try unreadTypes()
        for type in types { _ = try markAllRead(type) }
        return .data(.object(types.map { (PnutNames.pnut($0), 0) }))
    }

    /// `channel_types`: at most four; private messages where none is named.
    private func unreadTypes() throws(AppNetFailure) -> [String] {
        let types = parameters.list("channel_types") ?? [AppNetChannel.privateMessages]
        guard types.count <= 4 else { throw .badRequest("At most 4 channel_types can be asked for.") }
        var seen: Set<String> = []
        return types.filter { seen.insert($0).inserted }
    }

    /// `GET users/me/channels/existing_pm?ids=`: the private channel of exactly these users and the caller.
    func existingPrivateChannel() throws -> AppNetAnswer {
        let me = try me()
        let others = try (parameters.list("ids") ?? []).map { name in
            guard let user = try namedUser(name) else { throw AppNetFailure.notFound }
            return user.id
        }
        let members = Set(others).union([me])
        guard members.count > 1 else { throw AppNetFailure.badRequest("You must supply ids.") }
        let key = members.sorted().map(String.init).joined(separator: ",")
        guard let channel = try channels.channel(members: key) else { throw AppNetFailure.notFound }
        return .data(try renderer.channel(channel))
    }

    /// `PUT channels/{channel}/owner`: gives a channel to the user of the body's `id`.
    func giveChannelAway() throws -> AppNetAnswer {
        var channel = try visibleChannel()
        guard channel.owner == (try me()) else {
            throw AppNetFailure.forbidden("Only the owner may give a channel away.")
        }
        guard channel.type != AppNetChannel.privateMessages else {
            throw AppNetFailure.badRequest("A private conversation has no owner.")
        }
        let given = try body()
        guard let name = given["id"]?.lenientText ?? given["user_id"]?.lenientText, let user = try namedUser(name)
        else {
            throw AppNetFailure.badRequest("You must supply the id of a user.")
        }
        let before = channel.owner
        channel.owner = user.id
        // The owner's rights come from owning, and are in no list.
        channel.readers.users.removeAll { $0 == user.id }
        channel.writers.users.removeAll { $0 == user.id }
        channel.editors.users.removeAll { $0 == user.id }
        if !channel.editors.isImmutable, before != user.id { channel.editors.users.append(before) }
        try channels.update(channel)
        effects.append(AppNetEvent(kind: .channel, object: channel.id, channel: channel.id, actor: before))
        return .data(try renderer.channel(channel))
    }

    // MARK: Messages

    /// A message that the caller sees in the channel of the path.
    private func channelMessage() throws -> (message: AppNetMessage, channel: AppNetChannel) {
        let channel = try visibleChannel()
        guard let message = try messages.message(try id("message")), message.channel == channel.id else {
            throw AppNetFailure.notFound
        }
        return (message, channel)
    }

    /// `POST channels/{channel}/messages`: with `is_nsfw`; with `update_marker=1` the writer has read as far as his own
    /// message.
    func createMessageAndMarker() throws -> AppNetAnswer {
        var answer = try createMessage()
        if case .data(var document) = answer.content, let id = document["id"]?.stringValue.flatMap({ Int64($0) }),
            let message = try messages.message(id), isNSFW(try body(), message.text?.entities ?? message.entities)
        {
            try marks.setNSFW(true, .message, id)
            document["is_nsfw"] = .bool(true)
            answer.content = .data(document)
        }
        guard parameters.flag("update_marker") ?? false, case .data(let message) = answer.content,
            let id = message["id"]?.stringValue.flatMap({ Int64($0) }),
            let channel = message["channel_id"]?.stringValue
        else { return answer }
        try setMarker("channel:\(channel)", item: id, percentage: 0, resets: false)
        return answer
    }

    /// `DELETE channels/{channel}/messages/{message}`: also somebody else's, for those with full access.
    func deleteAnyMessage() throws -> AppNetAnswer {
        let me = try me()
        let found = try messages.message(try id("message"))
        guard let message = found, message.user != me else { return try deleteMessage() }
        guard message.channel == (try id("channel")) else { throw AppNetFailure.notFound }
        let channel = try channel(allowing: .editors)
        if !message.isDeleted { try pnut.setDeletion(of: message.id, by: me) }
        return .data(try delete(message, in: channel))
    }

    /// `GET channels/{channel}/messages/{message}/thread`: all messages of the message's thread.
    func listThread() throws -> AppNetAnswer {
        let (message, channel) = try channelMessage()
        let renderer = renderer
        let isListed = try messageFilter()
        return try page(
            fetch: { try messages.messages(in: channel.id, $0) },
            id: \.id,
            includes: { $0.thread == message.thread && isListed($0) },
            render: { try renderer.message($0, in: channel) }
        )
    }

    /// `POST channels/{channel}/messages/{message}/report`: nobody reads reports here.
    func reportMessage() throws -> AppNetAnswer {
        let (message, channel) = try channelMessage()
        return .data(try renderer.message(message, in: channel))
    }

    /// `PUT` and `DELETE channels/{channel}/messages/{message}/sticky`: editors only.
    func setSticky(_ isSticky: Bool) throws -> AppNetAnswer {
        let (message, channel) = try channelMessage()
        _ = try self.channel(allowing: .editors)
        guard !isSticky || !message.isDeleted else { throw AppNetFailure.badRequest("The message is deleted.") }
        if isSticky, try !pnut.isSticky(message.id), try pnut.stickyCount(in: channel.id) >= PnutTable.maximumSticky {
            throw AppNetFailure.badRequest("A channel has at most \(PnutTable.maximumSticky) sticky messages.")
        }
        try pnut.setSticky(isSticky, message.id, in: channel.id)
        return .data(try renderer.message(message, in: channel))
    }

    /// `GET channels/{channel}/sticky_messages`
    func listStickyMessages() throws -> AppNetAnswer {
        let channel = try visibleChannel()
        let renderer = renderer
        return try page(
            fetch: { try pnut.stickyMessages(in: channel.id, $0) },
            id: { $0 },
            includes: { try messages.message($0).map { !$0.isDeleted } ?? false },
            render: { id in try messages.message(id).map { try renderer.message($0, in: channel) } ?? [:] }
        )
    }
}
