internal import HeliumCore
internal import HeliumJSON

extension ChannelCalls {
    /// Returns the number of unread channels of private messages.
    ///
    /// `GET users/me/channels/pm/num_unread`; a user token with `messages`. App.net only: on pnut.io use
    /// ``unreadCounts(of:)``.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func unreadPrivateCount() async throws -> Int { try await client.value(CallRequest(.unreadPrivateCount)) }

    /// Returns the number of unread broadcast channels.
    ///
    /// `GET users/me/channels/broadcast/num_unread`; a user token with `messages`. App.net only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func unreadBroadcastCount() async throws -> Int {
        try await client.value(CallRequest(.unreadBroadcastCount))
    }

    /// Marks all broadcast channels as read.
    ///
    /// `DELETE users/me/channels/broadcast/num_unread`; a user token with `messages`. App.net only.
    ///
    /// - Returns: The number of channels that are still unread, which is 0.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func markBroadcastsRead() async throws -> Int { try await client.value(CallRequest(.markBroadcastsRead)) }
}

// MARK: pnut.io only (Docs/Protocols/AppNet.md §6.2)

extension ChannelCalls {
    /// Returns the number of unread channels of each type.
    ///
    /// `GET users/me/channels/num_unread?channel_types=`; a user token. pnut.io only.
    ///
    /// - Parameter types: The types of channels, from 1 to 4.
    /// - Returns: The numbers by the types' names on App.net, whichever name was given.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func unreadCounts(of types: [String]) async throws -> [String: Int] {
        try await counts(CallRequest(.unreadCounts, query: try self.types(types)))
    }

    /// Marks all channels of the given types as read.
    ///
    /// `DELETE users/me/channels/num_unread?channel_types=`; a user token. pnut.io only.
    ///
    /// - Parameter types: The types of channels, from 1 to 4.
    /// - Returns: The number of channels of each type that are still unread, which is 0.
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    @discardableResult
    public func markRead(_ types: [String]) async throws -> [String: Int] {
        try await counts(CallRequest(.markRead, query: try self.types(types)))
    }

    /// Returns the numbers by the types' names on App.net.
    private func counts(_ request: CallRequest) async throws -> [String: Int] {
        let counts: [String: Int] = try await client.value(request)
        guard client.dialect == .pnut else { return counts }
        return Dictionary(counts.map { (PnutTypes.appNetName(of: $0.key), $0.value) }) { first, _ in first }
    }

    private func types(_ types: [String]) throws(AppNetError) -> QueryParameters {
        guard (1...4).contains(types.count) else {
            throw AppNetError(.invalidRequest, "a request needs 1 to 4 channel types, not \(types.count)")
        }
        return ["channel_types": client.dialect.typeNames(types).joined(separator: ",")]
    }

    /// Returns the channel of private messages between exactly these users and the token's user.
    ///
    /// `GET users/me/channels/existing_pm?ids=`; a user token. pnut.io only.
    ///
    /// - Parameters:
    ///   - users: The other users.
    ///   - parameters: The optional members of the response.
    /// - Throws: ``AppNetError``, of kind ``AppNetError/Kind/notFound`` if there is no such channel, or
    ///   `CancellationError` if the task is cancelled.
    public func existingPrivateChannel(
        with users: [AppNetUser.ID],
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        let query: QueryParameters = ["ids": users.map(\.text).joined(separator: ",")]
        return try await client.value(CallRequest(.existingPrivateChannel, query: query, parameters))
    }

    /// Transfers a channel to another user.
    ///
    /// `PUT channels/{id}/owner`; a user token of the owner. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func transfer(
        _ id: AppNetChannel.ID,
        to user: AppNetUser.ID,
        parameters: GeneralParameters = GeneralParameters()
    ) async throws -> AppNetChannel {
        let body = JSONValue.object(["id": .string(user.text)])
        return try await client.value(
            CallRequest(.transferChannel, ["channel": id.text], body: .object(body), parameters)
        )
    }
}
