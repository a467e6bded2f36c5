internal import HeliumCore

/// The calls for channels (Docs/Protocols/AppNet.md §2.1). All of them need the scope `public_messages` or `messages`.
public struct ChannelCalls: Sendable {
    let client: AppNetClient

    /// Creates a channel.
    ///
    /// `POST channels`; a user token. For private messages use ``MessageCalls/send(_:to:parameters:)`` instead.
    ///
    /// - Parameters:
    ///   - channel: The new channel. The type is required. The readers, writers, editors, annotations and
    ///     `autoSubscribe` are sent too; other members are not.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func create(
        _ channel: AppNetChannel,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try client.checkNew(channel)
        let body = CallRequest.Body.object(channel.sent(onCreation: true))
        return try await client.value(CallRequest(.createChannel, body: body, parameters))
    }

    /// Returns a channel. Inactive channels are included.
    ///
    /// `GET channels/{id}`. Without a token only public channels are visible.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(_ id: AppNetChannel.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetChannel
    {
        try await client.value(CallRequest(.channel, ["channel": id.text], parameters))
    }

    /// Returns the channels with the given ids. Unknown and invisible channels are left out.
    ///
    /// More than 200 ids are split over several calls.
    ///
    /// `GET channels?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func get(
        _ ids: [AppNetChannel.ID],
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetChannel] {
        try await client.elements(ids, CallRequest(.channelsByID, parameters))
    }

    /// Changes a channel. Annotations are merged by type. Immutable lists cannot be changed.
    ///
    /// `PUT channels/{id}`; a user token of the owner or an editor.
    ///
    /// - Parameters:
    ///   - id: The id of the channel.
    ///   - changes: The new values. Members that are `nil` are not changed. Only the readers, writers, editors,
    ///     annotations and `autoSubscribe` are sent.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled. A value that the service would
    ///   refuse fails before anything is sent.
    public func update(
        _ id: AppNetChannel.ID,
        _ changes: AppNetChannel,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try client.check(changes: changes)
        let body = CallRequest.Body.object(changes.sent())
        return try await client.value(CallRequest(.updateChannel, ["channel": id.text], body: body, parameters))
    }

    /// Deactivates a channel permanently. Its messages can still be read.
    ///
    /// `DELETE channels/{id}`; a user token of the owner. Channels of private messages cannot be deactivated.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func deactivate(
        _ id: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.deactivateChannel, ["channel": id.text], parameters))
    }

    /// Returns the inbox: the subscribed channels, ordered by their most recent activity.
    ///
    /// The pagination ids of this list are not channel ids. ``ResponseMeta/unreadCounts`` has the number of unread
    /// channels. A user stream can subscribe to this list.
    ///
    /// `GET channels`; a user token. pnut.io: `GET users/me/channels/subscribed`.
    public func subscribed(parameters: GeneralParameters = GeneralParameters()) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.subscribedChannels, parameters))
    }

    /// Returns the channels that the token's user created.
    ///
    /// `GET users/me/channels`; a user token.
    public func created(parameters: GeneralParameters = GeneralParameters()) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.createdChannels, parameters))
    }

    /// Returns all channels that the token's user has muted. A list that the server cuts takes several calls.
    /// More than 100,000 channels, or 64 MiB, are an error of kind ``AppNetError/Kind/brokenList``.
    ///
    /// To read it page by page, use ``mutedChannels(parameters:)``.
    ///
    /// `GET users/me/channels/muted`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func muted() async throws -> [AppNetChannel] { try await client.wholeList(CallRequest(.mutedChannels)) }

    /// Returns the channels that the token's user has muted, as a list in pages.
    ///
    /// App.net returns the whole list as one page. A server that limits the size of a response cuts it, and continues it
    /// in further pages. The pagination ids are not channel ids.
    ///
    /// `GET users/me/channels/muted`; a user token.
    public func mutedChannels(parameters: GeneralParameters = GeneralParameters()) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.mutedChannels, parameters))
    }
}

// MARK: Subscribing and muting

extension ChannelCalls {
    /// Subscribes to a channel that the user may read. This also unmutes the channel.
    ///
    /// `POST channels/{id}/subscribe`; a user token. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func subscribe(
        to id: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.subscribeChannel, ["channel": id.text], parameters))
    }

    /// Unsubscribes from a channel.
    ///
    /// `DELETE channels/{id}/subscribe`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func unsubscribe(
        from id: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.unsubscribeChannel, ["channel": id.text], parameters))
    }

    /// Mutes a channel. This ends the subscription and blocks automatic subscription.
    ///
    /// `POST channels/{id}/mute`; a user token. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func mute(_ id: AppNetChannel.ID, parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetChannel
    {
        try await client.value(CallRequest(.muteChannel, ["channel": id.text], parameters))
    }

    /// Unmutes a channel. This does not subscribe again.
    ///
    /// `DELETE channels/{id}/mute`; a user token.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func unmute(
        _ id: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.unmuteChannel, ["channel": id.text], parameters))
    }

    /// Returns the subscribers of a channel. A user stream can subscribe to this list.
    ///
    /// `GET channels/{id}/subscribers`. Without a token only public channels are visible.
    public func subscribers(
        of id: AppNetChannel.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.subscribers, ["channel": id.text], parameters))
    }

    /// Returns the ids of all subscribers of a channel.
    ///
    /// `GET channels/{id}/subscribers/ids`. Without a token only public channels are visible. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func subscriberIDs(of id: AppNetChannel.ID) async throws -> [AppNetUser.ID] {
        try await client.value(CallRequest(.subscriberIDs, ["channel": id.text]))
    }

    /// Returns the ids of all subscribers of several channels. More than 200 ids are split over several calls.
    ///
    /// `GET channels/subscribers/ids?ids=`. Without a token only public channels are visible. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func subscriberIDs(of ids: [AppNetChannel.ID]) async throws -> [AppNetChannel.ID: [AppNetUser.ID]] {
        try await client.elementsByID(ids, CallRequest(.subscriberIDsOfChannels))
    }
}
