internal import HeliumCore

/// The calls of channels (§2.1). All need the scope `public_messages` or `messages`.
public struct ChannelCalls: Sendable {
    let client: AppNetClient

    /// Creates a channel.
    ///
    /// `POST channels`; a user token. Not for private messages: see ``MessageCalls/send(_:to:_:)``.
    ///
    /// - Parameters:
    ///   - channel: Its type, which it has to have, readers, writers, editors, annotations and `autoSubscribe`; the
    ///     rest is not sent.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``, before anything is sent for lists the service refuses; `CancellationError`.
    public func create(
        _ channel: AppNetChannel,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try client.checkNew(channel)
        let body = CallRequest.Body.object(channel.sent(onCreation: true))
        return try await client.value(CallRequest(.createChannel, body: body, parameters))
    }

    /// A channel, also an inactive one.
    ///
    /// `GET channels/{id}`; without a token public channels only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(_ id: AppNetChannel.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetChannel
    {
        try await client.value(CallRequest(.channel, ["channel": id.text], parameters))
    }

    /// The channels that there are under ids; those unknown or invisible are left out. More than 200 take several
    /// calls.
    ///
    /// `GET channels?ids=`; any token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func get(
        _ ids: [AppNetChannel.ID],
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> [AppNetChannel] {
        try await client.elements(ids, CallRequest(.channelsByID, parameters))
    }

    /// Changes a channel: its annotations, merged by type, and those of its lists that are not immutable.
    ///
    /// `PUT channels/{id}`; a user token of the owner or an editor.
    ///
    /// - Parameters:
    ///   - id: Which.
    ///   - changes: What is to change; what is `nil` stays. Only readers, writers, editors, annotations and
    ///     `autoSubscribe` are sent.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError``, before anything is sent for lists the service refuses; `CancellationError`.
    public func update(
        _ id: AppNetChannel.ID,
        _ changes: AppNetChannel,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try client.check(changes: changes)
        let body = CallRequest.Body.object(changes.sent())
        return try await client.value(CallRequest(.updateChannel, ["channel": id.text], body: body, parameters))
    }

    /// Deactivates a channel for good; its messages stay readable.
    ///
    /// `DELETE channels/{id}`; a user token of the owner. Not for private messages.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func deactivate(
        _ id: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.deactivateChannel, ["channel": id.text], parameters))
    }

    /// The inbox: subscribed channels, those with the newest messages first. Positions are not channels' ids;
    /// ``ResponseMeta/unreadCounts`` tells how many are unread. A user stream can subscribe to it.
    ///
    /// `GET channels`; a user token. pnut.io: `GET users/me/channels/subscribed`.
    public func subscribed(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.subscribedChannels, parameters))
    }

    /// The channels that the token's user created.
    ///
    /// `GET users/me/channels`; a user token.
    public func created(_ parameters: GeneralParameters = GeneralParameters()) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.createdChannels, parameters))
    }

    /// The channels that the token's user has muted.
    ///
    /// `GET users/me/channels/muted`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func muted() async throws -> [AppNetChannel] { try await client.value(CallRequest(.mutedChannels)) }
}

// MARK: Subscribing and muting

extension ChannelCalls {
    /// Subscribes to a channel that the user may read; it is not muted any more then.
    ///
    /// `POST channels/{id}/subscribe`; a user token. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func subscribe(
        to id: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.subscribeChannel, ["channel": id.text], parameters))
    }

    /// Ends a subscription.
    ///
    /// `DELETE channels/{id}/subscribe`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func unsubscribe(
        from id: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.unsubscribeChannel, ["channel": id.text], parameters))
    }

    /// Mutes a channel: ends the subscription, and lets nobody make one.
    ///
    /// `POST channels/{id}/mute`; a user token. pnut.io: `PUT`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func mute(_ id: AppNetChannel.ID, _ parameters: GeneralParameters = GeneralParameters()) async throws
        -> AppNetChannel
    {
        try await client.value(CallRequest(.muteChannel, ["channel": id.text], parameters))
    }

    /// Unmutes a channel; does not subscribe again.
    ///
    /// `DELETE channels/{id}/mute`; a user token.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func unmute(
        _ id: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        try await client.value(CallRequest(.unmuteChannel, ["channel": id.text], parameters))
    }

    /// Who is subscribed to a channel. A user stream can subscribe to it.
    ///
    /// `GET channels/{id}/subscribers`; without a token of public channels only.
    public func subscribers(
        of id: AppNetChannel.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetUser> {
        client.list(CallRequest(.subscribers, ["channel": id.text], parameters))
    }

    /// The ids of all who are subscribed to a channel.
    ///
    /// `GET channels/{id}/subscribers/ids`; without a token of public channels only. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func subscriberIDs(of id: AppNetChannel.ID) async throws -> [AppNetUser.ID] {
        try await client.value(CallRequest(.subscriberIDs, ["channel": id.text]))
    }

    /// The ids of all who are subscribed to channels. More than 200 take several calls.
    ///
    /// `GET channels/subscribers/ids?ids=`; without a token of public channels only. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func subscriberIDs(of ids: [AppNetChannel.ID]) async throws -> [AppNetChannel.ID: [AppNetUser.ID]] {
        try await client.elementsByID(ids, CallRequest(.subscriberIDsOfChannels))
    }
}
