package import HeliumCore
internal import HeliumJSON

/// The calls for messages (Docs/Protocols/AppNet.md §2.2). All of them need the scope `public_messages` or `messages`.
public struct MessageCalls: Sendable {
    let client: AppNetClient

    /// Creates a message in a channel.
    ///
    /// `POST channels/{id}/messages`; a user token.
    ///
    /// - Parameters:
    ///   - message: The message. It has either text of at most 2,048 code points, or annotations and `isMachineOnly`.
    ///     It may also have entities and the id of the message that it replies to. Members that only the service sets
    ///     are not sent.
    ///   - channel: The channel.
    ///   - updatesMarker: Whether to move the user's stream marker to the message. pnut.io only; on App.net use
    ///     ``AppNetClient/streamMarkers``.
    ///   - parameters: The optional members of the response. With `includesAnnotations`, the response has the
    ///     annotations as processed by the service.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func create(
        _ message: Message,
        in channel: AppNetChannel.ID,
        updatesMarker: Bool = false,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try client.check(message, channelType: channel == "pm" ? .privateMessages : nil)
        var request = Self.creation(of: message, in: channel, parameters)
        if updatesMarker {
            guard client.dialect == .pnut else {
                throw AppNetError(
                    .unsupportedByDialect,
                    "App.net does not set a marker with a message: update the marker separately"
                )
            }
            request.query["update_marker"] = .single("1")
        }
        return try await client.value(request)
    }

    /// Checks a message without sending anything. Throws the errors that ``create(_:in:updatesMarker:parameters:)`` throws
    /// before it sends the request.
    ///
    /// Use this when another request, such as the upload of an attachment, must complete before the message is created.
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

    /// Sends a private message to the channel of exactly these users, which is created if it does not exist.
    ///
    /// `POST channels/pm/messages`; a user token with `messages`.
    ///
    /// - Parameters:
    ///   - message: The message. It has text of at most 2,048 code points. It may also have entities, annotations and
    ///     the id of the message that it replies to.
    ///   - users: The recipients: user ids or `@names`.
    ///   - parameters: The optional members of the response.
    /// - Returns: The message. ``Message/channelID`` identifies its channel.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func send(
        _ message: Message,
        to users: [AppNetUser.ID],
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        guard !users.isEmpty else {
            throw AppNetError(.invalidRequest, "a private message needs at least one recipient")
        }
        var message = message
        message.destinations = users
        return try await create(message, in: "pm", parameters: parameters)
    }

    /// Returns the messages of a channel. The pagination ids are message ids. A user stream can subscribe to this list.
    ///
    /// `GET channels/{id}/messages`. Without a token only public channels are visible.
    public func list(
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        client.list(CallRequest(.messagesInChannel, ["channel": channel.text], parameters))
    }

    /// Returns a message. Its author can always read it.
    ///
    /// `GET channels/{id}/messages/{mid}`. Without a token only public channels are visible.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.message, Self.path(id, channel), parameters))
    }

    /// Returns the messages with the given ids like ``get(_:parameters:)``, without those that cannot be decoded, which
    /// are named.
    ///
    /// - Throws: ``AppNetError`` of kind `undecodable` if none of the messages of a call can be decoded and none has an
    ///   id.
    package func readable(
        _ ids: [Message.ID],
        parameters: GeneralParameters
    ) async throws -> (elements: [Message], unreadable: UnreadableItems) {
        var elements: [Message] = []
        var unreadable = UnreadableItems()
        let request = CallRequest(.messagesByID, parameters)
        for batch in try AppNetClient.batches(of: ids) {
            let items = try await client.value(request.naming(batch), as: ReadableItems<Message>.self)
            elements += items.elements
            unreadable.add(items.unreadable.redacted(by: Redactor(secrets: client.secrets())))
        }
        return (elements, unreadable)
    }

    /// Returns the messages with the given ids, from any channels and in no particular order. Invisible messages are
    /// left out.
    ///
    /// More than 200 ids are split over several calls.
    ///
    /// `GET channels/messages?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(
        _ ids: [Message.ID],
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [Message] {
        try await client.elements(ids, CallRequest(.messagesByID, parameters))
    }

    /// Returns the messages of the token's user in all channels.
    ///
    /// `GET users/me/messages`; a user token.
    public func own(parameters: GeneralParameters = GeneralParameters()) -> PagedList<Message> {
        client.list(CallRequest(.ownMessages, parameters))
    }

    /// Deletes a message. This does not need access to its channel.
    ///
    /// `DELETE channels/{id}/messages/{mid}`; a user token of the author. On pnut.io, also of a user with full access
    /// to the channel.
    ///
    /// - Returns: The deleted form of the message.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func delete(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.deleteMessage, Self.path(id, channel), parameters))
    }

    private static func path(_ id: Message.ID, _ channel: AppNetChannel.ID) -> [String: String] {
        ["channel": channel.text, "message": id.text]
    }
}

// MARK: pnut.io only (Docs/Protocols/AppNet.md §6.2)

extension MessageCalls {
    /// Returns the messages of a thread.
    ///
    /// `GET channels/{id}/messages/{mid}/thread`; a user token. pnut.io only.
    public func thread(
        of id: Message.ID,
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        client.list(CallRequest(.thread, Self.path(id, channel), parameters))
    }

    /// Reports a message to the operators of the service.
    ///
    /// `POST channels/{id}/messages/{mid}/report`; a user token. pnut.io only.
    ///
    /// - Parameters:
    ///   - id: The id of the message.
    ///   - channel: The channel of the message.
    ///   - reason: `account_type`, `nsfw`, `soliciting` or `user_abuse`.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func report(_ id: Message.ID, in channel: AppNetChannel.ID, reason: String) async throws {
        let body = JSONValue.object(["reason": .string(reason)])
        try await client.perform(CallRequest(.reportMessage, Self.path(id, channel), body: .object(body)))
    }

    /// Pins a message to its channel.
    ///
    /// `PUT channels/{id}/messages/{mid}/sticky`; a user token with full access. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func stick(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.stickMessage, Self.path(id, channel), parameters))
    }

    /// Unpins a message.
    ///
    /// `DELETE channels/{id}/messages/{mid}/sticky`; a user token with full access. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func unstick(
        _ id: Message.ID,
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> Message {
        try await client.value(CallRequest(.unstickMessage, Self.path(id, channel), parameters))
    }

    /// Returns the pinned messages of a channel. The pagination ids are not message ids.
    ///
    /// `GET channels/{id}/sticky_messages`; a user token. pnut.io only.
    public func sticky(
        in channel: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Message> {
        client.list(CallRequest(.stickyMessages, ["channel": channel.text], parameters))
    }
}
