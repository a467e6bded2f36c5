internal import HeliumJSON

extension AppNetCall {
    /// `GET channels/{channel}/messages`
    func listMessages() throws -> AppNetAnswer {
        let channel = try visibleChannel()
        let renderer = renderer
        let isListed = try messageFilter()
        return try page(
            marker: channel.marker,
            fetch: { try messages.messages(in: channel.id, $0) },
            id: \.id,
            includes: isListed,
            render: { try renderer.message($0, in: channel) }
        )
    }

    /// Whether a message is in the caller's lists: deleted, machine only and muted people's ones by the call's options
    /// (§1.8).
    func messageFilter() throws -> (AppNetMessage) -> Bool {
        let options = options
        let muted = try caller.user.map { Set(try relations.objects(.mute, of: $0)) } ?? []
        return { message in
            (options.includesDeleted || !message.isDeleted) && (options.includesMachine || !message.isMachineOnly)
                && (options.includesMuted || !muted.contains(message.user))
        }
    }

    /// The message that the path names, which the caller sees, and its channel.
    private func visibleMessage() throws -> (AppNetMessage, AppNetChannel) {
        guard let message = try messages.message(try id("message")), message.channel == (try id("channel")),
            let channel = try channels.channel(message.channel)
        else { throw AppNetFailure.notFound }
        // An author may always read what he wrote.
        guard caller.user != nil, message.user == caller.user else { return (message, try visibleChannel()) }
        return (message, channel)
    }

    /// `GET channels/{channel}/messages/{message}`
    func readMessage() throws -> AppNetAnswer {
        let (message, channel) = try visibleMessage()
        return .data(try renderer.message(message, in: channel))
    }

    /// `GET channels/messages?ids=`
    func readMessages() throws -> AppNetAnswer {
        let access = access
        let renderer = renderer
        return .data(
            .array(
                try parameters.ids().compactMap { id in
                    guard let message = try messages.message(id), let channel = try channels.channel(message.channel),
                        try access.sees(message, in: channel)
                    else { return nil }
                    return try renderer.message(message, in: channel)
                }
            )
        )
    }

    /// `GET users/me/messages`
    func listOwnMessages() throws -> AppNetAnswer {
        let me = try me()
        let renderer = renderer
        let isListed = try messageFilter()
        return try page(
            fetch: { try messages.messages(by: me, $0) },
            id: \.id,
            includes: isListed,
            render: { message in
                guard let channel = try channels.channel(message.channel) else { return [:] }
                return try renderer.message(message, in: channel)
            }
        )
    }

    /// `DELETE channels/{channel}/messages/{message}`: the author only.
    func deleteMessage() throws -> AppNetAnswer {
        let (message, channel) = try visibleMessage()
        guard message.user == (try me()) else { throw AppNetFailure.forbidden("You may only delete your messages.") }
        return .data(try delete(message, in: channel))
    }

    /// Deletes a message, tells so, and gives its deleted form.
    func delete(_ message: AppNetMessage, in channel: AppNetChannel) throws -> JSONValue {
        var (message, channel) = (message, channel)
        if !message.isDeleted {
            message.isDeleted = true
            // What is deleted is gone, not hidden.
            message.text = nil
            message.entities = AppNetEntities()
            try files.revoke(grantsOf: message.annotations)
            try attachments.remove(.message, message.id)
            message.annotations = []
            try messages.update(message)
            channel.messages = max(0, channel.messages - 1)
            try channels.update(channel)
            try tell(message, isDeleted: true)
        }
        return try renderer.message(message, in: channel)
    }
}
