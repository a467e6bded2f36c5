internal import HeliumCore
internal import HeliumJSON

/// The calls of messages (§2.2). All need the scope `public_messages` or `messages`.
public struct MessageCalls: Sendable {
    let client: AppNetClient

    /// Writes a message into a channel.
    ///
    /// `POST channels/{id}/messages`; a user token.
    ///
    /// - Parameters:
    ///   - message: A text of at most 2,048 code points, or annotations and `isMachineOnly`; what it replies to,
    ///     entities. Members that only the service sets are not sent.
    ///   - channel: The channel.
    ///   - updatesMarker: Whether the channel counts as read up to it; pnut.io only, where App.net's clients set the
    ///     marker.
    ///   - parameters: What the answer is to have: `includesAnnotations` gives the annotations as the service made
    ///     them.
    /// - Throws: ``AppNetError``, before anything is sent for what the service refuses; `CancellationError`.
    public func create(
        _ message: Message,
        in channel: AppNetChannel.ID,
        updatesMarker: Bool = false,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try client.check(message, channelType: channel == "pm" ? .privateMessages : nil)
        var request = Self.creation(of: message, in: channel, parameters)
        if updatesMarker {
            guard client.dialect == .pnut else {
                throw AppNetError(.unsupportedByDialect, "App.net sets no marker with a message: update it")
            }
            request.query["update_marker"] = .single("1")
        }
        return try await client.value(request)
    }

    /// Finds what ``create(_:in:updatesMarker:_:)`` would refuse before anything is sent; sends nothing itself.
    ///
    /// For whom something else goes first: files that are to be attached.
    ///
    /// - Throws: ``AppNetError``.
    public func validate(_ message: Message, in channel: AppNetChannel.ID) throws(AppNetError) {
        try client.check(message, channelType: channel == "pm" ? .privateMessages : nil)
        let request = Self.creation(of: message, in: channel, GeneralParameters())
        _ = try client.builder(request, returning: Envelope<Message>.self)
    }

    private static func creation(
        of message: Message,
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters
    ) -> CallRequest {
        CallRequest(.createMessage, ["channel": channel.text], body: .object(message.sent()), parameters)
    }

    /// Sends a private message: to the channel of just these users, which is made if there is none.
    ///
    /// `POST channels/pm/messages`; a user token with `messages`.
    ///
    /// - Parameters:
    ///   - message: A text of at most 2,048 code points; what it replies to, entities, annotations.
    ///   - users: Whom it is for: ids or `@names`.
    ///   - parameters: What the answer is to have.
    /// - Returns: The message; ``Message/channelID`` is the channel.
    /// - Throws: ``AppNetError``, before anything is sent for what the service refuses; `CancellationError`.
    public func send(
        _ message: Message,
        to users: [AppNetUser.ID],
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        guard !users.isEmpty else { throw AppNetError(.invalidRequest, "a private message needs someone to go to") }
        var message = message
        message.destinations = users
        return try await create(message, in: "pm", parameters)
    }

    /// A channel's messages. A user stream can subscribe to them. Positions are messages' ids.
    ///
    /// `GET channels/{id}/messages`; without a token of public channels only.
    public func list(
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        client.list(CallRequest(.messagesInChannel, ["channel": channel.text], parameters))
    }

    /// A message. Its writer may always read it.
    ///
    /// `GET channels/{id}/messages/{mid}`; without a token of public channels only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.message, Self.path(id, channel), parameters))
    }

    /// The messages that there are under ids, of any channels, in no order; those invisible are left out. More than 200
    /// take several calls.
    ///
    /// `GET channels/messages?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(
        _ ids: [Message.ID],
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [Message] {
        try await client.elements(ids, CallRequest(.messagesByID, parameters))
    }

    /// The messages of the token's user in all channels.
    ///
    /// `GET users/me/messages`; a user token.
    public func own(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<Message> {
        client.list(CallRequest(.ownMessages, parameters))
    }

    /// Deletes a message, also without access to its channel.
    ///
    /// `DELETE channels/{id}/messages/{mid}`; a user token of its writer; on pnut.io of one with full access too.
    ///
    /// - Returns: What is left of it.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func delete(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.deleteMessage, Self.path(id, channel), parameters))
    }

    private static func path(_ id: Message.ID, _ channel: AppNetChannel.ID) -> [String: String] {
        ["channel": channel.text, "message": id.text]
    }
}

// MARK: pnut.io only (§6.2)

extension MessageCalls {
    /// The messages of a thread.
    ///
    /// `GET channels/{id}/messages/{mid}/thread`; a user token. pnut.io only.
    public func thread(
        of id: Message.ID,
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        client.list(CallRequest(.thread, Self.path(id, channel), parameters))
    }

    /// Reports a message to those who run the service.
    ///
    /// `POST channels/{id}/messages/{mid}/report`; a user token. pnut.io only.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - channel: Its channel.
    ///   - reason: `account_type`, `nsfw`, `soliciting` or `user_abuse`.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func report(_ id: Message.ID, in channel: AppNetChannel.ID, reason: String) async throws {
        let body = JSONValue.object(["reason": .string(reason)])
        try await client.perform(CallRequest(.reportMessage, Self.path(id, channel), body: .object(body)))
    }

    /// Pins a message to its channel.
    ///
    /// `PUT channels/{id}/messages/{mid}/sticky`; a user token with full access. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func stick(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.stickMessage, Self.path(id, channel), parameters))
    }

    /// Takes a pinned message down.
    ///
    /// `DELETE channels/{id}/messages/{mid}/sticky`; a user token with full access. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func unstick(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.unstickMessage, Self.path(id, channel), parameters))
    }

    /// A channel's pinned messages. Positions are not messages' ids.
    ///
    /// `GET channels/{id}/sticky_messages`; a user token. pnut.io only.
    public func sticky(
        in channel: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        client.list(CallRequest(.stickyMessages, ["channel": channel.text], parameters))
    }
}
