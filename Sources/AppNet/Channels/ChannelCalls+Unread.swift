internal import HeliumCore
internal import HeliumJSON

extension ChannelCalls {
    /// How many channels of private messages are unread.
    ///
    /// `GET users/me/channels/pm/num_unread`; a user token with `messages`. App.net only: on pnut.io
    /// ``unreadCounts(of:)``.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func unreadPrivateCount() async throws -> Int { try await client.value(CallRequest(.unreadPrivateCount)) }

    /// How many broadcast channels are unread.
    ///
    /// `GET users/me/channels/broadcast/num_unread`; a user token with `messages`. App.net only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func unreadBroadcastCount() async throws -> Int {
        try await client.value(CallRequest(.unreadBroadcastCount))
    }

    /// Marks all broadcast channels as read.
    ///
    /// `DELETE users/me/channels/broadcast/num_unread`; a user token with `messages`. App.net only.
    ///
    /// - Returns: How many are unread now: 0.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func markBroadcastsRead() async throws -> Int { try await client.value(CallRequest(.markBroadcastsRead)) }
}

// MARK: pnut.io only (§6.2)

extension ChannelCalls {
    /// How many channels are unread, by type.
    ///
    /// `GET users/me/channels/num_unread?channel_types=`; a user token. pnut.io only.
    ///
    /// - Parameter types: 1 to 4 types of channels.
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func unreadCounts(of types: [String]) async throws -> [String: Int] {
        try await client.value(CallRequest(.unreadCounts, query: try Self.types(types)))
    }

    /// Marks all channels of some types as read.
    ///
    /// `DELETE users/me/channels/num_unread?channel_types=`; a user token. pnut.io only.
    ///
    /// - Parameter types: 1 to 4 types of channels.
    /// - Returns: How many are unread now: 0 of each type.
    /// - Throws: ``AppNetError``; `CancellationError`.
    @discardableResult
    public func markRead(_ types: [String]) async throws -> [String: Int] {
        try await client.value(CallRequest(.markRead, query: try Self.types(types)))
    }

    private static func types(_ types: [String]) throws(AppNetError) -> QueryParameters {
        guard (1...4).contains(types.count) else {
            throw AppNetError(.invalidRequest, "1 to 4 types of channels can be asked for, not \(types.count)")
        }
        return ["channel_types": types.joined(separator: ",")]
    }

    /// The channel of private messages of just these users and the token's own.
    ///
    /// `GET users/me/channels/existing_pm?ids=`; a user token. pnut.io only.
    ///
    /// - Parameters:
    ///   - users: The others.
    ///   - parameters: What the answer is to have.
    /// - Throws: ``AppNetError`` of kind ``AppNetError/Kind/notFound`` if there is none; `CancellationError`.
    public func existingPrivateChannel(
        with users: [AppNetUser.ID],
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        let query: QueryParameters = ["ids": users.map(\.text).joined(separator: ",")]
        return try await client.value(CallRequest(.existingPrivateChannel, query: query, parameters))
    }

    /// Gives a channel to another user.
    ///
    /// `PUT channels/{id}/owner`; a user token of the owner. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func transfer(
        _ id: AppNetChannel.ID,
        to user: AppNetUser.ID,
        _ parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        let body = JSONValue.object(["id": .string(user.text)])
        return try await client.value(
            CallRequest(.transferChannel, ["channel": id.text], body: .object(body), parameters)
        )
    }
}
